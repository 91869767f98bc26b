import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../harness/free-port.ts'
import { findOnPath } from '../../harness/system.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { waitFor } from '../../harness/wait-for.ts'

const run = promisify(execFile)

/** A real nginx with `deploy/nginx/sidecar.conf`, in a temporary folder. Stopped when disposed of. */
export type Nginx = AsyncDisposable & {
  readonly url: string
  /** The certificate to trust. */
  readonly caFile: string
  /** Everything in its two logs so far. */
  readonly logs: () => Promise<{ readonly access: string; readonly error: string }>
}

/** `instances`: `host:port` each. */
export async function startNginx(instances: readonly string[]): Promise<Nginx> {
  const binary = (await findOnPath(['nginx'])) ?? (await findOnPath(['/usr/sbin/nginx']))
  if (binary === null) throw new Error('This needs nginx on PATH (apt install nginx)')
  await using starting = new AsyncDisposableStack()
  const { path } = starting.use(await createTempDir())
  const [caFile, keyFile] = [join(path, 'cert.pem'), join(path, 'key.pem')]
  const [accessLog, errorLog] = [join(path, 'access.log'), join(path, 'error.log')]
  const port = await freePort()
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile]
  await run('openssl', ['req', '-x509', ...key, '-out', caFile, '-days', '2', ...subject])
  const site = withOwn(await readFile('deploy/nginx/sidecar.conf', 'utf8'), { instances, port, caFile, keyFile, accessLog, errorLog })
  await writeFile(join(path, 'sidecar.conf'), site)
  await writeFile(join(path, 'nginx.conf'), main(path))
  const child = spawn(binary, ['-p', path, '-c', join(path, 'nginx.conf'), '-e', errorLog], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (piece) => (said += String(piece)))
  starting.defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exited
  })
  await waitFor(() => child.exitCode !== null || isOpen(port), { what: 'nginx' })
  if (child.exitCode !== null) throw new Error(`nginx does not start: ${said}`)
  const running = starting.move()
  const logs: Nginx['logs'] = async () => ({ access: await readFile(accessLog, 'utf8'), error: await readFile(errorLog, 'utf8') })
  return { url: `https://127.0.0.1:${port}`, caFile, logs, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

type Own = {
  readonly instances: readonly string[]
  readonly port: number
  readonly caFile: string
  readonly keyFile: string
  readonly accessLog: string
  readonly errorLog: string
}

/** The file as it is, but for addresses, name and certificate. */
function withOwn(text: string, { instances, port, caFile, keyFile, accessLog, errorLog }: Own): string {
  let changed = text
  const replace = (from: string, to: string): void => {
    if (!changed.includes(from)) throw new Error(`deploy/nginx/sidecar.conf has no "${from}" any more`)
    changed = changed.replace(from, to)
  }
  for (const [index, instance] of instances.entries()) replace(`10.0.0.1${index + 1}:4100`, instance)
  replace('listen 443', `listen 127.0.0.1:${port}`)
  replace('server_name sidecar.example.com', 'server_name 127.0.0.1')
  replace('/etc/ssl/sidecar/fullchain.pem', caFile)
  replace('/etc/ssl/sidecar/privkey.pem', keyFile)
  replace('/var/log/nginx/sidecar.log', accessLog)
  replace('/var/log/nginx/sidecar-error.log', errorLog)
  return changed
}

/** The rest of nginx's configuration, as Debian has it, with all files in this folder. */
function main(path: string): string {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${join(path, name)};`)
  return `${process.getuid?.() === 0 ? `user ${userInfo().username};\n` : ''}daemon off;
worker_processes 1;
pid ${join(path, 'nginx.pid')};
events { worker_connections 4096; }
http {
${places.join('\n')}
  access_log off;
  include ${join(path, 'sidecar.conf')};
}
`
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
