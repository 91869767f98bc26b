import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOnPath } from '../harness/system.ts'
import { type Contender, portLine, startProcess } from './processes.ts'

/** The folder for separate installations and for files that programs write. Git ignores it. */
export const cache = new URL('../.cache/bench', import.meta.url).pathname

/** The stand-in platform. */
export function startUpstream(environment: Readonly<Record<string, string>>): Promise<Contender> {
  return startProcess('platform', { command: process.execPath, args: ['tests/bench/upstream.ts'], environment, ready: portLine })
}

export function startBareProxy(platformUrl: string): Promise<Contender> {
  return startProcess('bare undici proxy', { command: process.execPath, args: ['tests/bench/bare-proxy.ts', platformUrl], ready: portLine })
}

/** The service as `npm start` runs it, for the platform at this address. Without an address: sandbox mode, with the stand-ins in the same process. */
export function startService(platformUrl: string | null, dataDir: string, own: Readonly<Record<string, string>> = {}): Promise<Contender> {
  const platform = { PLATFORM_URL: platformUrl ?? '', PLATFORM_WORKSPACE_URL: 'http://{workspace}.localhost', WORKSPACES: 'bench' }
  return startServiceWith({ DATA_DIR: dataDir, ...(platformUrl !== null && platform), ...own })
}

/** The service as `npm start` runs it, with these settings. */
export function startServiceWith(settings: Readonly<Record<string, string>>): Promise<Contender> {
  return startProcess('this service', {
    command: process.execPath,
    args: ['--import', './src/commands/require-node.mjs', '--max-semi-space-size=8', '--v8-pool-size=1', 'src/main.ts'],
    environment: { PORT: '0', LOG_LEVEL: 'error', ...settings },
    ready: (output) => /Ready at (http\S+)/.exec(output)?.[1] ?? null,
  })
}

/** Nginx with one worker and persistent connections; null if it is not on PATH. */
export async function startNginx(platformUrl: string, port: number): Promise<Contender | null> {
  const binary = await findOnPath(['nginx'])
  if (binary === null) return null
  mkdirSync(cache, { recursive: true })
  const file = join(cache, 'nginx.conf')
  writeFileSync(
    file,
    `worker_processes 1; daemon off; pid ${cache}/nginx.pid; error_log stderr notice;
     events { worker_connections 4096; }
     http { access_log off; keepalive_requests 1000000000;
       client_body_temp_path ${cache}/body; proxy_temp_path ${cache}/proxy; fastcgi_temp_path ${cache}/f; uwsgi_temp_path ${cache}/u; scgi_temp_path ${cache}/s;
       upstream platform { server ${new URL(platformUrl).host}; keepalive 256; keepalive_requests 1000000000; }
       server { listen 127.0.0.1:${port}; location / { proxy_pass http://platform; proxy_http_version 1.1; proxy_set_header Connection ""; } } }`,
  )
  return startProcess('nginx', {
    command: binary,
    args: ['-c', file, '-e', 'stderr'],
    ready: (output) => (output.includes('start worker process') ? `http://127.0.0.1:${port}` : null),
  })
}
