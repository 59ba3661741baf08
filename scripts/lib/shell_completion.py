"""Completion of the program for zsh and fish, from the same description as bash's (scripts/help_pages).

A *kind* is the name of a list of words, "files", or several of them, tried in turn; "" completes nothing.
"""


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


ZSH_START = r"""#compdef warpsieve
# zsh completion of warpsieve, made from `run --list --json` by scripts/help_pages
_warpsieve() {
  local path= prev=${words[CURRENT-1]} kind= i list
"""
# `--option=value` is completed behind its '=', a list behind its last comma.
ZSH_END = r"""  if compset -P '--[^=]#='; then prev=${IPREFIX%=}; fi
  _warpsieve_kind "$path $prev"
  for list in ${=kind}; do
    if [[ $list == files ]]; then _files && return
    else
      [[ $list == commands ]] || compset -P '*,'
      compadd -S '' -- ${(P)list} && return
    fi
  done
}
"""


def zsh(commands, names):
    """`commands`: (path, words, kind of the positional, {option: kind}); `names`: {list: words}."""
    out = [ZSH_START.rstrip("\n")]
    out += [f"  local -a {name}=({' '.join(map(quoted_word, some))})" for name, some in sorted(names.items())]
    out += ["  local -a commands",
            "  for ((i = 2; i < CURRENT; i++)); do", "    case \"$path ${words[i]}\" in",
            *[f"      {quoted(path)}) path={quoted(path)} ;;" for path, *_ in commands if path], "    esac", "  done",
            "  case $path in"]
    for path, words, positional, _ in commands:
        tried = "commands" + (f" {positional}" if positional else "")
        out.append(f"    {quoted(path)}) commands=({' '.join(map(quoted_word, words))}) kind={quoted(tried)} ;;")
    out += ["  esac", "  local options=$kind", "  _warpsieve_kind() {", "    case $1 in"]
    for path, _, _, options in commands:
        out += [f"      {quoted(path + ' ' + option)}) kind={quoted(kind)} ;;" for option, kind in options.items()]
    out += ["      *) kind=$options ;;", "    esac", "  }"]
    return "\n".join(out) + "\n" + ZSH_END + '_warpsieve "$@"\n'


def quoted_word(word):
    return quoted(word) if set(word) & set(" '\"\\$&|;<>()*?[]{}~#!`") or not word else word


FISH_START = r"""# fish completion of warpsieve, made from `run --list --json` by scripts/help_pages
function __warpsieve_path
    set -l at
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $word" $__warpsieve_paths
            set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
# A list is completed behind its last comma.
function __warpsieve_words
    set -l before (string replace -r -- '^(--[^=]*=)?' '' (commandline -ct) | string replace -r -- '[^,]*$' '')
    for word in $argv
        echo $before$word
    end
end
complete -c warpsieve -f
"""


def fish(commands, names, docs):
    """As zsh(); `docs`: {(path, option or subcommand): its first line}."""
    def place(path):
        return quoted(f"__warpsieve_path '{path}'").replace("\\'", '"')

    out = [FISH_START.rstrip("\n"), "set -g __warpsieve_paths " + " ".join(quoted(path) for path, *_ in commands if path)]
    out += [f"set -g __warpsieve_{name} {' '.join(map(quoted_word, some))}" for name, some in sorted(names.items())]
    for path, words, positional, options in commands:
        for word in words:
            if word.startswith("-"):
                continue
            out.append(f"complete -c warpsieve -n {place(path)} -a {quoted(word)} -d {quoted(docs.get((path, word), ''))}")
        out += [f"complete -c warpsieve -n {place(path)} {how}" for how in fish_values(positional, names)]
        for word in [w for w in words if w.startswith("--")] + [o for o in options if o not in words]:
            flag = f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}"
            doc = f" -d {quoted(docs[path, word])}" if (path, word) in docs else ""
            if word not in options:
                out.append(f"complete -c warpsieve -n {place(path)} {flag}{doc}")
                continue
            values = fish_values(options[word], names) or ["-x"]
            out.append(f"complete -c warpsieve -n {place(path)} {flag} -r{doc} {' '.join(values)}")
    return "\n".join(out) + "\n"


def fish_values(kind, names):
    """Options of `complete` for the words of a kind, in one list."""
    how = []
    words = [part for part in kind.split() if part in names]
    if words:
        how.append("-a " + quoted("(__warpsieve_words " + " ".join(f"$__warpsieve_{part}" for part in words) + ")"))
    if "files" in kind.split():
        how.append("-F")
    return how
