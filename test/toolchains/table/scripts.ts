import type { Row } from './row.ts'

export const scripts: readonly Row[] = [
  {
    name: 'Python: venv, a wheel of one project, pip install of it in another',
    needs: ['/usr/bin/python3', '/usr/lib/python3/dist-packages/wheel', '/usr/lib/python3/dist-packages/setuptools'],
    files: {
      'lib/setup.py':
        "from setuptools import setup\nsetup(name='a', version='1', py_modules=['a'], entry_points={'console_scripts': ['a-run=a:run']})\n",
      'lib/a.py': 'def run():\n    print(40 + 2)\n',
    },
    script: `(cd lib && /usr/bin/python3 setup.py -q bdist_wheel 2> /dev/null); /usr/bin/python3 -m venv venv
venv/bin/pip install -q --no-index --disable-pip-version-check lib/dist/a-1-py3-none-any.whl; venv/bin/a-run; venv/bin/pip list --disable-pip-version-check | grep '^a '`,
    byName: /\.pyc$|\.whl$|\/RECORD$/,
  },
  {
    name: 'Python: pytest, unittest and multiprocessing',
    needs: ['/usr/bin/pytest'],
    files: {
      'test_a.py':
        'import unittest\nfrom multiprocessing import Pool\n\ndef double(n):\n    return 2 * n\n\nclass T(unittest.TestCase):\n    def test_pool(self):\n        with Pool(2) as pool:\n            self.assertEqual(pool.map(double, [21]), [42])\n\ndef test_tmp(tmp_path):\n    (tmp_path / "a").write_text("x")\n',
    },
    script: '/usr/bin/pytest -q; /usr/bin/python3 -m unittest -q',
    varies: /in [\d.]+s$/,
    byName: /\.pyc$/,
  },
  {
    name: 'Ruby: rake and minitest',
    needs: ['rake', 'ruby'],
    files: {
      Rakefile: "require 'rake/testtask'\nRake::TestTask.new { |t| t.pattern = 'test_*.rb' }\ntask(default: :test)\n",
      'test_a.rb': "require 'minitest/autorun'\nclass A < Minitest::Test\n  def test_sum = assert_equal(42, 40 + 2)\nend\n",
    },
    script: 'rake -q TESTOPTS=--seed=1',
    varies: /^Finished in .*$/,
  },
  {
    name: 'Ruby: gem build, gem install and bundler offline',
    needs: ['gem', 'bundle'],
    files: {
      'a.gemspec':
        "Gem::Specification.new { |s| s.name = 'a'; s.version = '1'; s.summary = s.authors = 'a'; s.files = ['lib/a.rb']; s.license = 'MIT'; s.homepage = 'https://example.com' }\n",
      'lib/a.rb': 'module A; VALUE = 42; end\n',
      Gemfile: 'gemspec\n',
    },
    script: `export SOURCE_DATE_EPOCH=1000000000; gem build -q a.gemspec > /dev/null 2>&1; gem install --local --user-install --no-document a-1.gem 2> /dev/null | tail -n 1
bundle config set --local path vendor > /dev/null; bundle install --local --quiet; bundle exec ruby -e 'require "a"; puts A::VALUE'`,
    byName: /\.gem$/,
  },
  {
    name: 'PHP with mbstring, a built-in server and a lint',
    needs: ['php', '/usr/share/doc/php-mbstring'],
    files: { 'a.php': '<?php echo mb_strtoupper("é"), PHP_EOL;\n' },
    script: `php a.php; php -l a.php; php -S 127.0.0.1:8123 > /dev/null 2>&1 & server=$!
for each in 1 2 3 4 5 6 7 8 9; do php -r 'exit(@file_get_contents("http://127.0.0.1:8123/a.php") === "É\\n" ? 0 : 1);' && break; sleep 0.3; done
kill "$server"; echo "$each" | grep -c '[1-8]'`,
  },
  {
    name: 'Composer: dump-autoload and install without packages',
    needs: ['composer'],
    files: {
      'composer.json':
        '{"name":"a/a","version":"1.0.0","autoload":{"psr-4":{"A\\\\":"src/"}},"config":{"autoloader-suffix":"x"},"repositories":[{"packagist.org":false}]}\n',
      'src/B.php': '<?php namespace A; class B { const VALUE = 42; }\n',
      'a.php': "<?php require 'vendor/autoload.php'; echo A\\B::VALUE, PHP_EOL;\n",
    },
    script:
      'export COMPOSER_ALLOW_SUPERUSER=1; composer install -q --no-interaction; composer dump-autoload -q -o; php a.php; composer validate --no-check-all --no-interaction 2>&1 | tail -n 1',
  },
  {
    name: 'Perl: Makefile.PL, make test and prove',
    needs: ['perl', 'prove', 'make'],
    files: {
      'Makefile.PL': "use ExtUtils::MakeMaker;\nWriteMakefile(NAME => 'A', VERSION => '1', AUTHOR => 'a');\n",
      'lib/A.pm': 'package A;\nsub sum { $_[0] + $_[1] }\n1;\n',
      't/a.t': 'use Test::More tests => 1;\nuse A;\nis(A::sum(40, 2), 42);\n',
    },
    script:
      'perl Makefile.PL > /dev/null; make > /dev/null; make test | tail -n 1; prove -l -Q; make install DESTDIR=out INSTALL_BASE=/x > /dev/null',
    varies: /^Files=.*$/,
    byName: /^MYMETA|perllocal\.pod$|\.gz$/,
  },
  {
    name: 'Lua',
    needs: ['lua5.4', 'luac5.4'],
    files: { 'a.lua': 'print(40 + 2)\n' },
    script: 'lua5.4 a.lua; luac5.4 -o a.out a.lua; lua5.4 a.out',
  },
  {
    name: 'Tcl and Expect',
    needs: ['tclsh', 'expect'],
    files: {
      'a.tcl': 'puts [expr {40 + 2}]\n',
      'a.exp': 'log_user 0\nspawn sh -c {read line; echo "got $line"}\nsend "42\\r"\nexpect "got 42" { puts found }\n',
    },
    script: 'tclsh a.tcl; expect a.exp',
  },
  {
    name: 'Prolog',
    needs: ['swipl'],
    files: { 'a.pl': ':- X is 40 + 2, print(X), nl.\n' },
    script: 'swipl -g halt a.pl; swipl -q -o a -g halt -c a.pl 2>&1; ls a',
    byName: /^a$/,
  },
  {
    name: 'Bats',
    needs: ['bats'],
    files: { 'a.bats': '@test "sums" {\n  run echo "$((40 + 2))"\n  [ "$output" = 42 ]\n}\n' },
    script: 'bats a.bats',
  },
  {
    name: 'awk, dc, bc and parallel',
    needs: ['gawk', 'dc', 'bc', 'parallel'],
    script: "gawk 'BEGIN { print 40 + 2 }'; echo '40 2 + p' | dc; echo 40+2 | bc; seq 3 | parallel --will-cite -k echo {}",
  },
]
