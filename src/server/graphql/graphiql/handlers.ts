import { readFileSync } from 'node:fs'
import type { Handler } from '../../http/http-context.ts'
import { preparedHandler } from '../../http/prepared-response.ts'

export type GraphiqlOptions = {
  /** The workspace that the sign-in form shows first. */
  readonly workspace: string
  /** The address of a workspace's frontend, with `{workspace}` in it: the platform's sign-in takes it as `origin`. */
  readonly workspaceUrl: string
  /** Members of the sandbox who sign in by one click; null without the sandbox. */
  readonly demo: DemoAccounts | null
}

type DemoAccounts = {
  readonly password: string
  /** E-mail addresses by role. */ readonly accounts: Readonly<Record<string, string>>
}

type Asset = { readonly contentType: string; readonly read: () => Promise<string | Uint8Array> }

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'
const ownFile = (name: string) => () => Promise.resolve(readFileSync(new URL(name, import.meta.url)))

/** A part of GraphiQL as Yoga's package brings it. Imported on the first request, because the package holds 9 MB of text. */
const packaged = (part: 'js' | 'css' | 'editorWorkerService' | 'jsonWorker' | 'graphqlWorker') => async () =>
  (await import('@graphql-yoga/render-graphiql/graphiql'))[part]

/** The names of the workers are the labels by which the editor asks for them; page.mjs makes the address. */
const assets: Readonly<Record<string, Asset>> = {
  'graphiql.js': { contentType: script, read: packaged('js') },
  'graphiql.css': { contentType: style, read: packaged('css') },
  'worker-editorWorkerService.js': { contentType: script, read: packaged('editorWorkerService') },
  'worker-json.js': { contentType: script, read: packaged('jsonWorker') },
  'worker-graphql.js': { contentType: script, read: packaged('graphqlWorker') },
  'page.js': { contentType: script, read: ownFile('page.mjs') },
  'page.css': { contentType: style, read: ownFile('page.css') },
}

/** All files come from this service and all requests go to it. The editor sets styles on its elements, so styles need `unsafe-inline`. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** GraphiQL without any foreign address: the handler of its page, and the handlers of its files under `/graphql/assets/`. */
export function createGraphiqlHandlers(options: GraphiqlOptions): { page: Handler; assets: Readonly<Record<string, Handler>> } {
  const page = preparedHandler(() => ({
    contentType: 'text/html; charset=utf-8',
    body: readFileSync(new URL('page.html', import.meta.url), 'utf8')
      .replace('{{workspaceUrl}}', () => attribute(options.workspaceUrl))
      .replace('{{tabs}}', () => attribute(JSON.stringify(graphiqlTabs())))
      .replace('{{demo}}', () => attribute(JSON.stringify(options.demo)))
      .replace('{{workspace}}', () => attribute(options.workspace)),
    headers: { 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' },
  }))
  const handlers = Object.entries(assets).map(([name, { contentType, read }]) => {
    return [`/graphql/assets/${name}`, preparedHandler(async () => ({ contentType, body: await read() }))] as const
  })
  return { page, assets: Object.fromEntries(handlers) }
}

/** The documents of a first visit's tabs: the main operations, in the order of a day. */
export function graphiqlTabs(): readonly string[] {
  return readFileSync(new URL('tabs.graphql', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n\n')
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
