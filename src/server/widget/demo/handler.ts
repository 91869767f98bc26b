import { readFileSync } from 'node:fs'
import { type DemoPorts, findDemoKey } from '../../../features/widget/find-demo-key.ts'
import { AppError } from '../../../kernel/errors.ts'
import { onlyMethods, problemHandler } from '../../http/routes.ts'
import type { Handler, HttpContext } from '../../http/http-context.ts'
import { preparedHandler } from '../../http/prepared-response.ts'
import { sendWidgetPage } from '../widget-page.ts'
import { page } from './page.ts'

/** `/widget/demo`: a hospital's page with the widget of this workspace, and its style sheet. */
export function createDemoHandlers(ports: DemoPorts, workspace: string): Readonly<Record<string, Handler>> {
  const show = async (ctx: HttpContext): Promise<void> => {
    const host = ctx.request.headers.host ?? ''
    if (!loopback.test(host)) throw new AppError('NOT_FOUND', { detail: 'The demo page is at a loopback address' })
    const demo = await findDemoKey(ports, { workspace, origin: `http://${host}` })
    sendWidgetPage(ctx, { markup: page(demo), images: 'data:', frameAncestors: "'none'" })
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
