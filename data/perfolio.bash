# perfolio.bash - completion for bash: commands, and the switches that `perfolio COMMAND --help` tells.
_perfolio()
{
	local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command=watch commands
	COMPREPLY=()
	commands=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
	if [ "$COMP_CWORD" -eq 1 ] && [[ $word != -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$commands help" -- "$word")
		return
	fi
	if [[ " $(printf '%s ' $commands)" == *" ${COMP_WORDS[1]} "* ]]; then
		command=${COMP_WORDS[1]}
	fi
	case ${COMP_WORDS[COMP_CWORD - 1]} in
	help) mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word") ;;
	--oformat) mapfile -t COMPREPLY < <(compgen -W "json jsonl xml html csv" -- "$word") ;;
	--export) mapfile -t COMPREPLY < <(compgen -W "lexpr sexpr gexpr graphite openmetrics vmstat" -- "$word") ;;
	*)
		if [[ $word == -* ]]; then
			mapfile -t COMPREPLY < <(compgen -W "$("$program" "$command" --help 2>/dev/null |
				grep -oE '(^|[ ,|[])--?[A-Za-z][a-z-]*' | tr -d ' ,|[')" -- "$word")
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$word")
		fi
		;;
	esac
}
complete -o filenames -F _perfolio perfolio
