import { extname } from 'node:path'
import { z } from 'zod'
import { readBuilt } from '../../kernel/built-files.ts'
import type { PublicAddress } from '../../kernel/public-address.ts'
import type { Handler } from '../http/http-context.ts'
import { preparedHandler } from '../http/prepared-response.ts'
import { problemHandler, unknownPath } from '../http/routes.ts'
import { createDemoCallHandlers, type RingAgent } from './demo-call-handler.ts'
import { createPreviewHandlers } from './preview-handler.ts'

/** What the page needs before somebody signs in. Nothing of it is secret. */
export type ConsolePageSettings = {
  /** The workspace that the sign-in form shows first. */
  readonly workspace: string
  /** The address of a workspace's frontend, with `{workspace}` in it: the platform's sign-in takes it as `origin`. */
  readonly workspaceUrl: string
  /** Where third parties reach the service: its webhooks are there, and not always where the page is. */
  readonly publicAddress: Pick<PublicAddress, 'url'>
  /** Members of the sandbox who sign in by one click; null without the sandbox. */
  readonly demo: ConsoleDemo | null
  /** Where browser phones register: `wss://sip.example.com:444`. Null: at any secure web socket. */
  readonly sipServers: readonly string[] | null
}

export type ConsoleDemo = {
  readonly password: string
  readonly accounts: Readonly<Record<string, string>>
  /** Agents of the telephony account whom no member has yet, as the team form takes them. */
  readonly freeAgents: readonly Readonly<Record<string, string>>[]
  /** Null: no call can ring. */
  readonly ring: RingAgent | null
}

const assetsPath = '/console/assets/'
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** `/console`: the page, also for the addresses of its screens, and its files. They are read when they are first asked for. */
export function createConsoleHandlers(settings: ConsolePageSettings): Readonly<Record<string, Handler>> {
  const page = preparedHandler(() => ({
    contentType: 'text/html; charset=utf-8',
    body: pageWith(settings),
    headers: { 'content-security-policy': contentSecurityPolicy(settings), 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' },
  }))
  return {
    '/console': page,
    '/console/*': page,
    '/console/icon.svg': preparedHandler(() => ({ contentType: 'image/svg+xml', body: readBuilt('console/icon.svg') })),
    [`${assetsPath}*`]: createAssetsHandler(),
    ...createPreviewHandlers(),
    ...(settings.demo?.ring && createDemoCallHandlers(settings.demo.ring)),
  }
}

/** What Vite says that it built. */
const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), css: z.array(z.string()).default([]), assets: z.array(z.string()).default([]) }),
)

/** Only the files that were built: no path of a client is ever opened. */
function createAssetsHandler(): Handler {
  let assets: ReadonlyMap<string, Handler> | null = null
  return problemHandler((ctx) => {
    assets ??= new Map(builtAssets().map((name) => [`/console/${name}`, assetHandler(name)]))
    const asset = assets.get(ctx.path)
    return asset ? asset.handle(ctx) : unknownPath(ctx)
  })
}

function builtAssets(): readonly string[] {
  const manifest = manifestSchema.parse(JSON.parse(readBuilt('console/manifest.json').toString()))
  return [...new Set(Object.values(manifest).flatMap(({ file, css, assets }) => [file, ...css, ...assets]))]
}

/** The name has a hash of the content, so a browser never asks twice. */
function assetHandler(name: string): Handler {
  return preparedHandler(() => ({
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    body: readBuilt(`console/${name}`),
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  }))
}

function pageWith({ workspace, workspaceUrl, publicAddress, demo }: ConsolePageSettings): string {
  const shownDemo = demo && {
    password: demo.password,
    accounts: demo.accounts,
    freeAgents: demo.freeAgents,
    rings: demo.ring !== null,
  }
  const shown = { workspace, workspaceUrl, publicUrl: publicAddress.url(), demo: shownDemo }
  const content = JSON.stringify(shown).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return readBuilt('console/index.html')
    .toString()
    .replace('name="console-settings" content="{}"', () => `name="console-settings" content="${content}"`)
}

/** All files and frames come from this service: a frame is the preview of the widget. The phone connects to SIP servers; a hospital's logo may be anywhere; recordings play from memory. */
function contentSecurityPolicy({ sipServers }: ConsolePageSettings): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob:",
    "worker-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    `connect-src 'self' ${sipServers?.join(' ') ?? 'wss:'}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}
