#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# packaging/deps asks the archive only for what is missing. dpkg-query and
# apt-get are played by scripts here.
. tests/cli/lib.sh

DEPS=$PWD/packaging/deps
BIN=$TMP/bin
mkdir "$BIN"
for tool in bash env cat; do
	ln -s "$(command -v $tool)" "$BIN/$tool"
done
chmod 755 "$TMP" "$BIN"

debian() { # installed-package...
	printf '#!/bin/bash\ncase " %s " in *" ${!#} "*) echo -n installed ;; *" ${!#}:old "*) echo -n config-files ;; *) exit 1 ;; esac\n' \
		"$*" >"$BIN/dpkg-query"
	# shellcheck disable=SC2016
	printf '#!/bin/bash\necho "$*" >>%s\nexit ${APT_STATUS:-0}\n' "$TMP/apt" >"$BIN/apt-get"
	chmod 755 "$BIN"/dpkg-query "$BIN"/apt-get
	: >"$TMP/apt"
	chmod 666 "$TMP/apt"
}

deps() { PATH=$BIN run "$DEPS" "$@"; }

# Copied where an ordinary user may read it, whatever the tree's own modes.
install -m 755 "$DEPS" "$TMP/deps"
deps_as_nobody() {
	if ((EUID == 0)); then
		run as_nobody env PATH="$BIN" "$TMP/deps" "$@"
	else
		deps "$@"
	fi
}

calls_apt() { # line...
	diff <(printf '%s\n' "$@") "$TMP/apt"
}

debian one two
claim nothing_missing_asks_nothing
deps one two
exits_with 0 && prints_nothing stdout && prints_nothing stderr && [[ ! -s $TMP/apt ]] && ok || not_ok

claim missing_packages_are_named_to_an_ordinary_user
deps_as_nobody one three four
exits_with 1 && one_sentence && prints stderr 'three four.*sudo make deps' &&
	! grep -q 'one' "$TMP/stderr" && [[ ! -s $TMP/apt ]] && ok || not_ok

claim ordinary_user_with_nothing_missing_is_fine
deps_as_nobody one
exits_with 0 && prints_nothing stderr && ok || not_ok

if ((EUID == 0)); then
	claim only_what_is_missing_is_installed_after_one_update
	deps one three four
	exits_with 0 &&
		calls_apt "update -q" "install -q -y --no-install-recommends three four" && ok || not_ok

	claim removed_package_whose_configuration_stayed_is_missing
	debian one three:old
	deps one three
	exits_with 0 &&
		calls_apt "update -q" "install -q -y --no-install-recommends three" && ok || not_ok

	claim failing_archive_is_reported
	debian one
	APT_STATUS=100 deps three
	exits_with 1 && prints stderr 'could not install three' && ok || not_ok
fi

claim other_distributions_are_told_what_is_needed
rm "$BIN/dpkg-query" "$BIN/apt-get"
deps one two
exits_with 0 && prints stdout 'one two' && ok || not_ok

finish
