import type { OpenApiOperation } from '../openapi/operation.ts'
import type { JsonSchema } from '../openapi/json-schema.ts'
import { fieldsOf, fieldTable } from './field-table.ts'
import { type Html, html, prose } from './html.ts'
import type { SchemaReader } from './schema-reader.ts'

export type Shown = { readonly method: string; readonly path: string; readonly operation: OpenApiOperation }

/** One operation: what it is for, what it takes, what it answers, and a command that asks for it. */
export function operationSection({ method, path, operation }: Shown, reader: SchemaReader): Html {
  const body = operation.requestBody?.content['application/json'].schema
  const parameters = (operation.parameters ?? []).map(({ name, schema, required, in: place, description }) => ({
    name,
    required,
    note: `${place}:`,
    schema: description === undefined ? schema : { ...schema, description },
  }))
  const takes = [...parameters, ...(body ? fieldsOf(body, reader) : [])]
  return html`<article id="${operation.operationId}">
    <div class="words">
      <h3>
        <a href="#${operation.operationId}"
          ><span class="method ${method}">${method.toUpperCase()}</span> <span class="path">${pathParts(path)}</span></a
        >
      </h3>
      <p class="summary">${operation.summary}</p>
      <p>${prose(operation.description)}</p>
      ${
        takes.length > 0
          ? html`<h4>Takes</h4>
              ${fieldTable(takes, reader)}`
          : null
      }
      ${Object.entries(operation.responses).flatMap(([status, answer]) => answerPart(status, answer, reader))}
      <h4>Refuses</h4>
      <table class="refusals">
        <tbody>
          ${refusals(operation)}
        </tbody>
      </table>
    </div>
    <div class="samples">
      <pre><code>${command({ method, path, operation }, reader)}</code></pre>
      ${sampleAnswer(operation, reader)}
    </div>
  </article>`
}

/** A path that may be broken before each of its slashes. */
export function pathParts(path: string): readonly Html[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith('{') ? html`<wbr />/<var>${part}</var>` : html`<wbr />/${part}`))
}

function answerPart(
  status: string,
  answer: { description: string; content: Readonly<Record<string, { schema: JsonSchema }>> },
  reader: SchemaReader,
): readonly Html[] {
  const schema = answer.content['application/json']?.schema
  if (!schema) return []
  const fields = fieldsOf(schema, reader)
  const title = html`<span class="status">${status}</span> Answers`
  if (fields.length === 0)
    return [
      html`<h4>${title}</h4>
        <p>${prose(reader.read(schema).schema.description ?? 'Any JSON.')}</p>`,
    ]
  return [
    html`<details>
      <summary>${title} <span class="count">${fields.length === 1 ? '1 field' : `${fields.length} fields`}</span></summary>
      ${fieldTable(fields, reader)}
    </details>`,
  ]
}

function refusals({ responses }: OpenApiOperation): readonly Html[] {
  return Object.entries(responses).flatMap(([status, { description, content }]) => {
    if (!content['application/problem+json'] || status === 'default') return []
    return description.split('\n').map(
      (line) =>
        html`<tr>
          <td class="status">${status}</td>
          <td>${prose(line)}</td>
        </tr>`,
    )
  })
}

function command({ method, path, operation }: Shown, reader: SchemaReader): string {
  const body = operation.requestBody?.content['application/json'].schema
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema = operation.parameters?.find((parameter) => parameter.name === name)?.schema
    return encodeURIComponent(String(schema ? reader.sample(schema, name) : name))
  })
  return [
    `curl ${method === 'get' || (method === 'post' && body) ? '' : `-X ${method.toUpperCase()} `}$SIDECAR${filled}`,
    ...credentialsOf(operation),
    ...(body ? [`  --json '${JSON.stringify(reader.sample(body), null, 2).replaceAll("'", String.raw`'\''`)}'`] : []),
  ].join(' \\\n')
}

function credentialsOf({ security }: OpenApiOperation): readonly string[] {
  if (!security) return ['  -H "Authorization: Bearer $TOKEN"']
  return security.some((scheme) => 'widgetKey' in scheme) ? ['  -H "x-widget-key: $WIDGET_KEY"', '  -H "Origin: $SITE"'] : []
}

function sampleAnswer({ responses }: OpenApiOperation, reader: SchemaReader): Html | null {
  const found = Object.entries(responses).find(([, { content }]) => content['application/json'])
  const schema = found?.[1].content['application/json']?.schema
  if (!found || !schema) return null
  return html`<p class="caption"><span class="status">${found[0]}</span></p>
    <pre><code>${JSON.stringify(reader.sample(schema), null, 2)}</code></pre>`
}
