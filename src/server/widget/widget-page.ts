import type { Html } from '../http/html.ts'
import type { HttpContext } from '../http/http-context.ts'

type WidgetPage = {
  readonly markup: Html
  /** Where images may come from, besides this service. */
  readonly images: string
  /** Who may show the page in a frame. */
  readonly frameAncestors: "'none'" | "'self'"
}

/** Sends a page with the widget, with a policy as strict as a careful site's: no other script, no inline style, no text that becomes markup. */
export function sendWidgetPage({ request, response }: HttpContext, { markup, images, frameAncestors }: WidgetPage): void {
  const body = Buffer.from(markup.markup)
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    // The widget's first request is a GET to its own host, which has no Origin.
    'referrer-policy': 'same-origin',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}
