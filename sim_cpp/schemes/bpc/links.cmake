target_link_libraries(schemes PUBLIC block_bpc)
