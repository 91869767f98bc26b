import { readFileSync } from 'node:fs'
import { type DemoPorts, findDemoKey } from '../../../features/widget/find-demo-key.ts'
import { AppError } from '../../../kernel/errors.ts'
import { onlyMethods, problemHandler } from '../../http/routes.ts'
import type { Handler, HttpContext } from '../../http/http-context.ts'
import { preparedHandler } from '../../http/prepared-response.ts'
import { page } from './page.ts'

/** As strict as a careful site: no other script, no inline style, no text that becomes markup. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** `/widget/demo`: a hospital's page with the widget of this workspace, and its style sheet. */
export function createDemoHandlers(ports: DemoPorts, workspace: string): Readonly<Record<string, Handler>> {
  const show = async ({ request, response }: HttpContext): Promise<void> => {
    const host = request.headers.host ?? ''
    if (!loopback.test(host)) throw new AppError('NOT_FOUND', { detail: 'The demo page is at a loopback address' })
    const demo = await findDemoKey(ports, { workspace, origin: `http://${host}` })
    const body = Buffer.from(page(demo).markup)
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': body.length,
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'same-origin',
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  return {
    '/widget/demo': problemHandler(onlyMethods(['GET', 'HEAD'], show)),
    '/widget/demo/style.css': preparedHandler(() => ({
      contentType: 'text/css; charset=utf-8',
      body: readFileSync(new URL('style.css', import.meta.url)),
    })),
  }
}

/** No key for a foreign host name that points to this machine. */
const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/
