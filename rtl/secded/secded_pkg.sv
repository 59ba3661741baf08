// secded_pkg: how many bits a word takes with its check bits.
`default_nettype none
package secded_pkg;
  // Of one word of `width` bits, 1 to 64, as module secded has them.
  function automatic int unsigned check_bits(input int unsigned width);
    check_bits = width > 57 ? 8 : width > 26 ? 7 : width > 11 ? 6 : width > 4 ? 5 : width > 1 ? 4 : 3;
  endfunction

  // Parts of a word that is too long for one set of check bits, as many bits in each as in the first or fewer.
  function automatic int unsigned parts(input int unsigned width);
    parts = (width + 63) / 64;
  endfunction
  function automatic int unsigned part_bits(input int unsigned width);
    part_bits = (width + parts(width) - 1) / parts(width);
  endfunction

  // Bits to store of `lanes` lanes of `width` bits each (secded_words); enable = 0: without check bits.
  function automatic int unsigned stored_bits(input int unsigned width, input int unsigned lanes, input int unsigned enable);
    stored_bits = lanes * (enable == 0 ? width : width + parts(width) * check_bits(part_bits(width)));
  endfunction
endpackage
`default_nettype wire
