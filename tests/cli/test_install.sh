#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# make install puts there what a package would, and uninstall takes just that.
. tests/cli/lib.sh

ROOT=$TMP/root

make_root() { same_make DESTDIR="$ROOT" prefix=/usr "$@"; }

installed() {
	(cd "$ROOT" && find . ! -type d -printf '%m %P\n' | sort -k 2)
}

claim install_installs_these_files_with_these_modes
run make_root install
cat >"$TMP/expected" <<'END'
644 etc/itertrace/itertrace.conf
644 usr/lib/systemd/system/itertrace.service
644 usr/lib/sysusers.d/itertrace.conf
755 usr/sbin/itertrace
644 usr/share/bash-completion/completions/itertrace
644 usr/share/doc/itertrace/CHANGELOG.md
644 usr/share/doc/itertrace/LICENSE
644 usr/share/doc/itertrace/LICENSE.GPL-2.0
644 usr/share/doc/itertrace/README.md
644 usr/share/fish/vendor_completions.d/itertrace.fish
644 usr/share/doc/itertrace/itertrace.json
644 usr/share/doc/itertrace/itertrace.rules.yml
END
for page in packaging/man/*.[1-8]; do
	echo "644 usr/share/man/man${page##*.}/${page##*/}"
done >>"$TMP/expected"
echo "644 usr/share/zsh/site-functions/_itertrace" >>"$TMP/expected"
sort -k 2 -o "$TMP/expected" "$TMP/expected"
exits_with 0 && diff "$TMP/expected" <(installed) && ok || not_ok

claim modes_do_not_depend_on_the_umask
(umask 077 && make_root install >/dev/null)
diff "$TMP/expected" <(installed) &&
	[[ -z $(find "$ROOT"/{usr,etc} -type d ! -perm 755) ]] && ok || not_ok

# rpmbuild refuses a file that no line of %files stands for.
claim the_rpm_has_all_of_it
"$PYTHON" - packaging/rpm/itertrace.spec "$TMP/expected" <<'END' && ok || not_ok
import fnmatch, re, sys
MACROS = {"_sbindir": "usr/sbin", "_unitdir": "usr/lib/systemd/system", "_sysusersdir": "usr/lib/sysusers.d",
          "_mandir": "usr/share/man", "_datadir": "usr/share", "_docdir": "usr/share/doc", "_sysconfdir": "etc"}
files = open(sys.argv[1]).read().split("%files")[1].split("\n%changelog")[0]
patterns = [re.sub(r"%{(\w+)}", lambda m: MACROS[m[1]], line.split()[-1])
            for line in files.split("\n") if line.strip() and not line.startswith("%license")]
paths = [line.split()[1] for line in open(sys.argv[2])]
def stands_for(pattern, path):
    return fnmatch.fnmatch(path, pattern) or path.startswith(pattern + "/")
missing = [path for path in paths if not any(stands_for(p, path) for p in patterns)]
idle = [p for p in patterns if not any(stands_for(p, path) for path in paths)]
sys.exit(f"not in %files: {missing}; nothing for: {idle}" if missing or idle else 0)
END

claim installed_program_runs
run "$ROOT/usr/sbin/itertrace" --version
exits_with 0 && ok || not_ok

claim uninstall_removes_these_and_nothing_else
echo mine >"$ROOT/usr/sbin/mine"
run make_root uninstall
exits_with 0 && [[ $(installed) == *" usr/sbin/mine" && $(installed | wc -l) == 1 ]] &&
	[[ ! -e $ROOT/usr/share/doc/itertrace ]] && ok || not_ok

claim a_configuration_that_was_changed_stays
make_root install >/dev/null
echo "interval = 5s" >>"$ROOT/etc/itertrace/itertrace.conf"
run make_root install
exits_with 0 && run make_root uninstall && exits_with 0 &&
	grep -qx "interval = 5s" "$ROOT/etc/itertrace/itertrace.conf" && ok || not_ok
rm "$ROOT/etc/itertrace/itertrace.conf"

claim the_unit_starts_what_was_installed
same_make DESTDIR="$ROOT" prefix=/opt/it install >/dev/null
grep -qx "ExecStart=/opt/it/sbin/itertrace run --config /opt/it/etc/itertrace/itertrace.conf" \
	"$ROOT/opt/it/lib/systemd/system/itertrace.service" &&
	[[ -e $ROOT/opt/it/etc/itertrace/itertrace.conf ]] && ok || not_ok

claim uninstall_twice_is_fine
run make_root uninstall
exits_with 0 && ok || not_ok

finish
