import { type Upstream, startUpstream } from './upstream.ts'

/** A hospital's own site: one page with a heading, a button that opens the widget, and the widget's tag. */
export type WidgetSite = AsyncDisposable & {
  readonly url: string
  /** What the page's tag says from now on. */
  carry(tag: WidgetTag): void
}
export type WidgetTag = {
  /** Where the widget comes from. */
  readonly from: string
  readonly key: string
  /** How the page's text runs. */
  readonly direction?: 'ltr' | 'rtl'
  /** Whether the tag is a module. */
  readonly isModule?: boolean
}

/** Each page forbids whatever can be forbidden: what is not of the widget's origin, inline styles, scripts made from text, markup made from text. */
export async function startWidgetSite(): Promise<WidgetSite> {
  let tag: WidgetTag | null = null
  const site: Upstream = await startUpstream(({ path }, response) => {
    if (path !== '/' || !tag) return void response.writeHead(404).end()
    const { from, direction = 'ltr', isModule = false } = tag
    const policy = [
      "default-src 'none'",
      `script-src ${from}`,
      `connect-src ${from}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy.join('; ') })
    response.end(`<!doctype html><html lang="en" dir="${direction}"><head>
      <meta name="viewport" content="width=device-width, initial-scale=1"><title>Hospital</title><link rel="icon" href="data:,">
      <script ${isModule ? 'type="module"' : 'async'} src="${from}/widget.js" data-widget-key="${tag.key}"></script>
      </head><body><main><h1>Hospital</h1><p><button data-widget-open="book">See a doctor</button></p></main></body></html>`)
  })
  return { url: site.url, carry: (next) => void (tag = next), [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() }
}
