import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Handler } from '../../http/http-context.ts'
import { preparedHandler } from '../../http/prepared-response.ts'

export type GraphiqlOptions = {
  /** The address of a workspace's frontend, with `{workspace}` in it: what the platform's sign-in wants as `origin`. */
  readonly workspaceUrl: string
  /** Which workspace the sign-in form names beforehand. */
  readonly workspace: string
}

const require = createRequire(import.meta.url)
const ownFile = (name: string) => () => readFileSync(new URL(name, import.meta.url))
/** These packages export no such file by name: it is found beside what they do export. */
const packageFile = (name: string, file: string) => () => readFileSync(join(dirname(require.resolve(`${name}/package.json`)), file))

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'
/** GraphiQL as its package brings it, ready-made, and the page of ours around it. */
const assets: Readonly<Record<string, { readonly contentType: string; readonly read: () => Buffer }>> = {
  'react.js': { contentType: script, read: packageFile('react', 'umd/react.production.min.js') },
  'react-dom.js': { contentType: script, read: packageFile('react-dom', 'umd/react-dom.production.min.js') },
  'graphiql.js': { contentType: script, read: packageFile('graphiql', 'graphiql.min.js') },
  'graphiql.css': { contentType: style, read: packageFile('graphiql', 'graphiql.min.css') },
  'page.js': { contentType: script, read: ownFile('page.mjs') },
  'page.css': { contentType: style, read: ownFile('page.css') },
}

/** Everything comes from here and talks to here. The editor sets styles on its elements, hence `unsafe-inline` for styles alone. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** GraphiQL without any address but ours: its page, and the doors of its files under `/graphql/assets/`. */
export function createGraphiqlHandlers(options: GraphiqlOptions): { page: Handler; assets: Readonly<Record<string, Handler>> } {
  const page = preparedHandler(() => ({
    contentType: 'text/html; charset=utf-8',
    body: readFileSync(new URL('page.html', import.meta.url), 'utf8')
      .replace('{{workspaceUrl}}', attribute(options.workspaceUrl))
      .replace('{{workspace}}', attribute(options.workspace)),
    headers: { 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' },
  }))
  const handlers = Object.entries(assets).map(([name, { contentType, read }]) => {
    return [`/graphql/assets/${name}`, preparedHandler(() => ({ contentType, body: read() }))] as const
  })
  return { page, assets: Object.fromEntries(handlers) }
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
