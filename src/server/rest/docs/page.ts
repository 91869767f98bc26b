import type { OpenApiDocument } from '../openapi/document.ts'
import { type Html, html, prose } from './html.ts'
import { operationSection, pathParts, type Shown } from './operation.ts'
import { createSchemaReader, type SchemaReader } from './schema-reader.ts'

/** Nothing but our own style sheet is loaded, and no script runs. */
export const docsPolicy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The description as a page for people; `stylePath` is where its style sheet is served, `address` where its examples send their requests. */
export function docsPage(document: OpenApiDocument, { stylePath, address }: { stylePath: string; address: string }): string {
  const reader = createSchemaReader(document.components.schemas)
  const shown = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Shown => ({ method, path, operation })),
  )
  const groups = document.tags.map(({ name }) => ({ name, shown: shown.filter(({ operation }) => operation.tags.includes(name)) }))
  const { title, version, description } = document.info
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}: REST</title>
        <link
          rel="icon"
          href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230f766e'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='white' stroke-width='1.6'/%3E%3C/svg%3E"
        />
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        <nav aria-label="Operations">
          <p class="brand"><a href="#top">${title}</a> <span class="version">${version}</span></p>
          ${groups.map(navigation)}
        </nav>
        <main id="top">
          <header>
            <h1>REST</h1>
            <div class="words">
              <p>${prose(description)}</p>
              <p class="links"><a href="/openapi.json">openapi.json</a> <a href="/graphql">GraphiQL</a></p>
            </div>
            <div class="samples">
              <pre><code>${firstSteps(address)}</code></pre>
            </div>
          </header>
          ${groups.map((group) => section(group, reader))}
        </main>
      </body>
    </html> `.markup
}

const firstSteps = (address: string): string => `SIDECAR=${address}
TOKEN=$(curl -s $SIDECAR/auth/login --json '{
  "email": "agent1@demo.example",
  "password": "…",
  "workspace": "demo"
}' | jq -r .tokens.accessToken.token)`

type Group = { readonly name: string; readonly shown: readonly Shown[] }

function navigation({ name, shown }: Group): Html {
  return html`<h2><a href="#${name}">${name}</a></h2>
    <ul>
      ${shown.map(
        ({ method, operation, path }) =>
          html`<li>
            <a href="#${operation.operationId}" title="${operation.summary}"
              ><span class="method ${method}">${shortMethod(method)}</span> <span>${pathParts(path.replace(/^\/api/, ''))}</span></a
            >
          </li>`,
      )}
    </ul>`
}

function shortMethod(method: string): string {
  return method === 'delete' ? 'DEL' : method.toUpperCase()
}

function section({ name, shown }: Group, reader: SchemaReader): Html {
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}">${name}</h2>
    ${shown.map((one) => operationSection(one, reader))}
  </section>`
}
