import { readFileSync } from 'node:fs'
import type { Handler } from '../../http/http-context.ts'
import { preparedHandler } from '../../http/prepared-response.ts'

/** All files come from this service, and all requests go to it. Icons are data URLs in the style sheet. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

/** Files that the page loads, by name. They are read when the page is first opened. */
const assets: Readonly<Record<string, { readonly contentType: string; readonly address: () => string }>> = {
  'swagger-ui-bundle.js': { contentType: script, address: () => import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js') },
  'swagger-ui.css': { contentType: style, address: () => import.meta.resolve('swagger-ui-dist/swagger-ui.css') },
  'page.js': { contentType: script, address: () => new URL('page.mjs', import.meta.url).href },
  'page.css': { contentType: style, address: () => new URL('page.css', import.meta.url).href },
}

/** `/docs`: the REST operations in Swagger UI, with search and "Try it out", and its files under `/docs/assets/`. */
export function createDocsHandlers(): Readonly<Record<string, Handler>> {
  const page = preparedHandler(() => ({
    contentType: 'text/html; charset=utf-8',
    body: readFileSync(new URL('page.html', import.meta.url)),
    headers: { 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' },
  }))
  const files = Object.entries(assets).map(([name, { contentType, address }]) => {
    return [`/docs/assets/${name}`, preparedHandler(() => ({ contentType, body: readFileSync(new URL(address())) }))] as const
  })
  return { '/docs': page, ...Object.fromEntries(files) }
}
