import { readFileSync } from 'node:fs'
import { AppError } from '../../kernel/errors.ts'
import { html, type Html } from '../http/html.ts'
import { preparedHandler } from '../http/prepared-response.ts'
import { onlyMethods, problemHandler } from '../http/routes.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import { sendWidgetPage } from '../widget/widget-page.ts'

/**
 * `/console/widget-preview?key=...`: an empty page with the widget's tag, for the console to show in a frame. It makes no key valid: a manager makes one for the
 * console's own origin.
 */
export function createPreviewHandlers(): Readonly<Record<string, Handler>> {
  const show = (ctx: HttpContext): void => {
    const key = new URLSearchParams(ctx.query).get('key') ?? ''
    if (!keyForm.test(key)) throw new AppError('NOT_FOUND', { detail: 'The address of the preview ends with ?key= and a widget key' })
    // Only the console shows it. The hospital's logo may be anywhere.
    sendWidgetPage(ctx, { markup: page(key), images: 'data: https:', frameAncestors: "'self'" })
  }
  return {
    '/console/widget-preview': problemHandler(onlyMethods(['GET', 'HEAD'], show)),
    '/console/widget-preview.css': preparedHandler(() => ({
      contentType: 'text/css; charset=utf-8',
      body: readFileSync(new URL('preview.css', import.meta.url)),
    })),
  }
}

const keyForm = /^[a-z0-9-]{1,40}_[a-z0-9]{10,60}$/

/** A page of a site, drawn without words: the widget brings those. */
function page(key: string): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Preview of the widget</title>
        <link rel="stylesheet" href="/console/widget-preview.css" />
        <script async src="/widget.js" data-widget-key="${key}"></script>
      </head>
      <body>
        <main>
          <h1>Preview of the widget</h1>
          <div class="page" aria-hidden="true">
            <div class="bar"><span></span><span></span><span></span><span></span></div>
            <div class="hero"><span></span><span></span><span></span></div>
            <div class="tiles"><span></span><span></span><span></span></div>
            <div class="lines"><span></span><span></span><span></span><span></span></div>
          </div>
        </main>
      </body>
    </html> `
}
