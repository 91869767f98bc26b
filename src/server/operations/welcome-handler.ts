import { readFileSync } from 'node:fs'
import { onlyMethods, problemHandler, unknownPath } from '../http/routes.ts'
import type { Handler } from '../http/http-context.ts'
import { preparedHandler } from '../http/prepared-response.ts'
import { html, type Html } from '../http/html.ts'

/** A link of the front page. */
type Destination = { readonly path: string; readonly title: string; readonly description: string }

const destinations: readonly Destination[] = [
  { path: '/console', title: 'Console', description: 'The agent desk, the wallboard, recordings and administration.' },
  { path: '/graphql', title: 'GraphiQL', description: 'Query the combined GraphQL endpoint and read its documentation.' },
  { path: '/docs', title: 'REST', description: 'The same operations as REST paths.' },
  { path: '/asyncapi.json', title: 'Events', description: 'What is published to the event bus, as an AsyncAPI document.' },
  { path: '/health', title: 'Health', description: 'Whether the service is up; for operators, also every partner.' },
]
const demoDestination: Destination = { path: '/widget/demo', title: 'The chat widget', description: 'A hospital’s page with the widget.' }

const stylePath = '/welcome.css'
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** `GET /`: a page of links for a browser. Other clients get 404. */
export function createWelcomeHandlers({ hasDemo }: { readonly hasDemo: boolean }): Readonly<Record<string, Handler>> {
  const front = preparedHandler(() => ({
    contentType: 'text/html; charset=utf-8',
    body: page(hasDemo ? [...destinations, demoDestination] : destinations).markup,
    headers: { 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' },
  }))
  const welcome = onlyMethods(['GET', 'HEAD'], (ctx) =>
    ctx.request.headers.accept?.includes('text/html') ? front.handle(ctx) : unknownPath(ctx),
  )
  return {
    '/': problemHandler(welcome),
    [stylePath]: preparedHandler(() => ({
      contentType: 'text/css; charset=utf-8',
      body: readFileSync(new URL('welcome.css', import.meta.url)),
    })),
  }
}

function page(links: readonly Destination[]): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Call-center sidecar</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        <main>
          <h1>Call-center sidecar</h1>
          <p>The call-center backend beside a CRM. It is running.</p>
          <ul>
            ${links.map(
              ({ path, title, description }) =>
                html`<li>
                  <a href="${path}"><strong>${title}</strong><span>${description}</span><code>${path}</code></a>
                </li>`,
            )}
          </ul>
        </main>
      </body>
    </html> `
}
