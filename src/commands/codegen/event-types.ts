import { z } from 'zod'
import { createAsyncApi } from '../../features/events/asyncapi.ts'
import { comment, member, type Schema, typeOf } from './json-schema-types.ts'

type Message = { readonly name: string; readonly summary?: string; readonly headers?: Schema; readonly payload: Schema }
type AsyncApi = {
  readonly components: { readonly messages: Readonly<Record<string, Message>>; readonly schemas?: Readonly<Record<string, Schema>> }
}

/** A plugin of graphql-codegen: the published events, from the AsyncAPI document. */
export function plugin(): string {
  return eventTypes(z.custom<AsyncApi>().parse(JSON.parse(JSON.stringify(createAsyncApi()))))
}

function eventTypes({ components: { messages, schemas = {} } }: AsyncApi): string {
  const own = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? schema)
  const entries = Object.entries(messages)
  const [, first] = entries[0] ?? []
  return [
    '// Made from the AsyncAPI document by `npm run codegen`.\n',
    ...entries.map(([name, { summary, payload }]) => `${comment(summary, '')}export interface ${name} ${typeOf(own(payload))}\n\n`),
    '/** The payload of each topic. */\nexport interface Events {\n',
    ...entries.map(([type, { name }]) => member({ name, type, isOptional: false }, '')),
    '}\n\n',
    '/** Any published event; `type` says which. */\nexport type ServiceEvent = Events[keyof Events]\n\n',
    `/** The Kafka headers of every event, as text. */\nexport interface EventHeaders ${typeOf(own(first?.headers ?? {}))}\n`,
  ].join('')
}
