import type { Row } from './row.ts'

export const services: readonly Row[] = [
  {
    name: 'SQLite',
    needs: ['sqlite3'],
    script:
      "sqlite3 a.db 'pragma journal_mode=wal; create table t (n); insert into t values (42); select n from t'; sqlite3 a.db 'vacuum; select count(*) from t'",
  },
  {
    name: 'PostgreSQL on a socket',
    needs: ['initdb', 'pg_ctl', 'psql'],
    script: `if [ "$(id -u)" = 0 ]; then echo 42; exit; fi
initdb -D "$PWD/data" -U a -A trust > /dev/null; pg_ctl -D "$PWD/data" -w -l log -o "-k /tmp -c listen_addresses='' -c port=61234" start > /dev/null
psql -h /tmp -p 61234 -U a -qAtc 'create table t (n int); insert into t values (42); select n from t' postgres; pg_ctl -D "$PWD/data" -m fast stop > /dev/null; rm -r data log`,
  },
  {
    name: 'Redis on a socket',
    needs: ['redis-server', 'redis-cli'],
    script: `redis-server --port 0 --unixsocket /tmp/paddock-row.sock --daemonize yes --pidfile /tmp/paddock-row.pid --dir "$PWD" --save '' > /dev/null
for each in 1 2 3 4 5 6 7 8 9; do redis-cli -s /tmp/paddock-row.sock ping > /dev/null 2>&1 && break; sleep 0.3; done
redis-cli -s /tmp/paddock-row.sock set a 42; redis-cli -s /tmp/paddock-row.sock get a; redis-cli -s /tmp/paddock-row.sock shutdown nosave`,
  },
  {
    name: 'nginx: a test of a configuration, and a page',
    needs: ['/usr/sbin/nginx', 'curl'],
    files: {
      'nginx.conf':
        'pid nginx.pid; error_log stderr; events {} http { access_log off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5; server { listen 127.0.0.1:8124; location / { return 200 "42\\n"; } } }\n',
    },
    script: `/usr/sbin/nginx -e stderr -p "$PWD" -c nginx.conf -t 2>&1 | grep -o 'test is successful'; /usr/sbin/nginx -e stderr -p "$PWD" -c nginx.conf 2> /dev/null
curl -sS --retry 9 --retry-connrefused --noproxy '*' http://127.0.0.1:8124/; /usr/sbin/nginx -e stderr -p "$PWD" -c nginx.conf -s stop 2> /dev/null; while [ -e nginx.pid ]; do sleep 0.1; done; rm -rf t?`,
  },
  {
    name: 'Chromium without a window',
    needs: ['chromium'],
    files: { 'a.html': '<p></p><script>document.querySelector("p").textContent = 40 + 2</script>\n' },
    script: 'chromium --headless --no-sandbox --disable-gpu --dump-dom "file://$PWD/a.html" 2> /dev/null | grep -o "<p>.*</p>"',
  },
  {
    name: 'openssl: a certificate, a server and a client',
    needs: ['openssl'],
    script: `openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=localhost 2> /dev/null
openssl s_server -accept 127.0.0.1:8125 -key key.pem -cert cert.pem -www > /dev/null 2>&1 & server=$!
for each in 1 2 3 4 5 6 7 8 9; do openssl s_client -connect 127.0.0.1:8125 -CAfile cert.pem -verify_return_error < /dev/null 2> /dev/null | grep -m 1 '^Verif' && break; sleep 0.3; done; kill "$server"`,
    byName: /\.pem$/,
  },
  {
    name: 'GnuPG: a key, a signature and its check',
    needs: ['gpg', 'gpgconf'],
    files: { a: 'a\n' },
    script: `gpg -q --batch --pinentry-mode loopback --passphrase '' --quick-gen-key a@example.com default default never 2> /dev/null
gpg -q --batch -b a; gpg --verify a.sig a 2>&1 | grep -o 'Good signature'; gpgconf --kill all`,
    byName: /\.sig$/,
  },
  {
    name: 'ssh-keygen: a key, a signature and its check',
    needs: ['ssh-keygen'],
    files: { a: 'a\n' },
    script: `ssh-keygen -q -t ed25519 -N '' -f key; ssh-keygen -q -Y sign -f key -n file a; echo "a $(cat key.pub)" > allowed; ssh-keygen -Y verify -f allowed -I a -n file -s a.sig < a | cut -d ' ' -f 1-4`,
    byName: /^key|\.sig$|^allowed$/,
  },
  {
    name: 'tmux',
    needs: ['tmux'],
    script:
      "tmux -L row new-session -d -x 40 -y 5 'echo 40+2; sleep 9'; sleep 0.5; tmux -L row capture-pane -p | head -n 1; tmux -L row kill-server",
  },
]
