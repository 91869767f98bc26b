import type { Page, Route } from 'playwright-core'

/** What a page must show as it is: markup that runs a script or asks a server as soon as it is an element, and characters that turn texts round. */
export const markup =
  '<img src=//evil.example/x onerror="__ran(1)"><svg/onload="__ran(2)"></script><script>__ran(3)</script><iframe src="javascript:__ran(4)"></iframe>' +
  '<style>*{display:none}</style><a href="javascript:__ran(5)">[x](javascript:__ran(6))</a>"\'`\u202Eedoc\u2066\u200B'

/** Texts for people: names, sentences. Words of the contract, ids, times, addresses and numbers stay. */
const isText = /^\p{Lu}\p{Ll}|\p{L}\s+\p{L}|^\p{L}+[.,!?]$/u
const isMoment = /^\d{4}-\d\d-\d\d/
const technical =
  /^(__typename|type|code|reason|kind|token|cursor|[a-z]*id|[a-z]*url|uri|email|path|phoneNumber|timeZone|format|form|zone)$/i

/** The same value with the markup after every text for people, and a script in place of every address. */
export function withMarkup(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    if (/^(logoUrl|link|href)$/i.test(name)) return 'javascript:__ran(7)'
    return technical.test(name) || isMoment.test(value) || !isText.test(value) ? value : value + markup
  }
  if (Array.isArray(value)) return value.map((item: unknown) => withMarkup(item, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withMarkup(member, key)]))
}

export type MarkedPage = {
  /** How many answers have been changed. */
  changed(): number
  /** What the markup achieved: scripts that ran, elements that exist, dialogs, requests, refusals by the page's policy. */
  achieved(): Promise<readonly string[]>
}

/** From now on, the page gets markup in every text of every answer: of GraphQL, of REST and of subscriptions. */
export async function serveMarkup(page: Page): Promise<MarkedPage> {
  const found: string[] = []
  let changes = 0
  const changed = (text: string): string => {
    const before: unknown = JSON.parse(text)
    const after = JSON.stringify(withMarkup(before))
    if (after.includes('__ran')) changes += 1
    return after
  }
  const answer = async (route: Route): Promise<void> => {
    const response = await route.fetch().catch(() => null)
    if (response === null) return route.abort()
    const type = response.headers()['content-type'] ?? ''
    // The page may have gone on meanwhile.
    const body = await response.text().catch(() => null)
    if (body === null) return route.abort()
    await route.fulfill({ response, body: /json/.test(type) && body !== '' ? changed(body) : body })
  }
  await page.addInitScript('globalThis.__ran = (number) => { (globalThis.__all ??= []).push(number) }')
  page.on('dialog', (dialog) => {
    found.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (request.url().includes('evil.example')) found.push(`a request to ${request.url()}`)
  })
  page.on('console', (message) => {
    if (/Content.Security.Policy|javascript:/i.test(message.text())) found.push(message.text())
  })
  await page.route(/\/graphql$|\/api\/(?!recordings\/[^/]+\/audio)/, answer)
  await page.routeWebSocket(/\/graphql$/, (client) => {
    const service = client.connectToServer()
    client.onMessage((message) => service.send(message))
    service.onMessage((message) => client.send(typeof message === 'string' ? changed(message) : message))
  })
  return {
    changed: () => changes,
    achieved: async () => [...found, ...(await inPage(page))],
  }
}

/** Run in the page: what became of the markup in all documents and shadow trees of it. */
async function inPage(page: Page): Promise<readonly string[]> {
  const seen = await page.evaluate(`(() => {
    const roots = [document]
    for (const root of roots) for (const one of root.querySelectorAll('*')) if (one.shadowRoot) roots.push(one.shadowRoot)
    const selectors = ['[onerror]', '[onload]', '[src*="evil.example"]', '[href^="javascript:" i]', '[src^="javascript:" i]', 'body script:not([src])', 'style:not(head style)']
    const elements = roots.flatMap((root) => selectors.flatMap((one) => [...root.querySelectorAll(one)].map((each) => one + ': ' + each.outerHTML.slice(0, 120))))
    return [...(globalThis.__all ?? []).map((number) => 'script ' + number + ' ran'), ...elements]
  })()`)
  return Array.isArray(seen) ? seen.map(String) : [String(seen)]
}
