import type { Row } from './row.ts'

export const packing: readonly Row[] = [
  {
    name: 'tar, zip, 7z, zstd and xz',
    needs: ['tar', 'zip', 'unzip', '7z', 'zstd', 'xz'],
    files: { 'in/a': 'a\n', 'in/b/c': 'c\n' },
    script: `ln -s a in/link; chmod 751 in/b; touch -d 2020-01-01 in/a in/b/c in/b in
for each in gz xz zst; do tar -caf a.tar.$each --sort=name --owner=0 --group=0 in; mkdir out-$each; tar -xf a.tar.$each -C out-$each; done
zip -qryX a.zip in; unzip -q a.zip -d out-zip; 7z a -bd a.7z in > /dev/null; 7z t a.7z | grep Ok; diff -r in out-zip/in`,
    byName: /^a\./,
  },
  {
    name: 'rsync',
    needs: ['rsync'],
    files: { 'in/a': 'a\n', 'in/b/c': 'c\n' },
    script: 'chmod 640 in/a; rsync -aHAX --itemize-changes in/ out/ | sort; rsync -aHAX --itemize-changes in/ out/',
  },
  {
    name: 'dpkg-buildpackage, and the vendor and flags of the distribution',
    needs: ['dpkg-buildpackage', 'make', 'fakeroot', '/usr/bin/gcc'],
    files: {
      'a/debian/control': 'Source: a\nMaintainer: a <a@example.com>\n\nPackage: a\nArchitecture: all\nDescription: a\n',
      'a/debian/changelog': 'a (1) unstable; urgency=low\n\n  * a\n\n -- a <a@example.com>  Sat, 01 Jan 2022 00:00:00 +0000\n',
      'a/debian/rules':
        '#!/usr/bin/make -f\nbuild build-indep clean:\nbinary binary-indep:\n\tmkdir -p debian/a/usr/share/a debian/a/DEBIAN\n\techo a > debian/a/usr/share/a/a\n\tdpkg-gencontrol -Pdebian/a\n\tdpkg-deb --root-owner-group -b debian/a ..\n',
    },
    script:
      'chmod +x a/debian/rules; (cd a && dpkg-buildpackage -d -b -us -uc > /dev/null 2>&1); dpkg-deb -c a_1_all.deb | tail -n 1; dpkg-vendor --query vendor; dpkg-buildflags --get LDFLAGS; dpkg-buildflags --get CPPFLAGS',
    varies: /\d{4}-\d\d-\d\d \d\d:\d\d/,
    byName: /\.(buildinfo|changes)$/,
  },
  {
    name: 'rpmbuild',
    needs: ['rpmbuild', 'rpm'],
    files: {
      'a.spec':
        'Name: a\nVersion: 1\nRelease: 1\nSummary: a\nLicense: MIT\nBuildArch: noarch\n%description\na\n%install\nmkdir -p %{buildroot}/usr/share/a\necho a > %{buildroot}/usr/share/a/a\n%files\n/usr/share/a/a\n',
    },
    script: 'rpmbuild -bb --quiet --define "_topdir $PWD/top" a.spec 2> /dev/null; rpm -qlp top/RPMS/noarch/a-1-1.noarch.rpm 2> /dev/null',
    byName: /\.rpm$/,
  },
  {
    name: 'git: subtree, LFS, bundle, worktree and archive',
    needs: ['git', 'git-lfs', '/usr/lib/git-core/git-subtree'],
    files: { 'a/f': 'a\n' },
    script: `export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@example.com GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@example.com GIT_AUTHOR_DATE='1000000000 +0000' GIT_COMMITTER_DATE='1000000000 +0000'
git init -q -b main r; cd r; mkdir sub; echo s > sub/s; git add .; git commit -qm one; git subtree split -q -P sub -b split; git ls-tree -r --name-only split
git lfs install --local > /dev/null; git lfs track '*.bin' > /dev/null; echo big > b.bin; git add .; git commit -qm two; git lfs ls-files; git bundle create -q ../a.bundle main; git archive --format=tar -o ../a.tar HEAD sub
git worktree add -q ../w split; ls ../w; git fsck; cd ..; rm -rf r w`,
  },
]
