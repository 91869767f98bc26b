import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { assertSecretsCanBeFound } from '../../src/features/configuration/assert-secrets-found.ts'
import { maskSecrets, mergeDocument } from '../../src/features/configuration/merge-document.ts'
import { createSectionSchemas } from '../../src/features/configuration/section-schemas.ts'
import { sectionOptions, sectionSchemas } from '../builders/configuration.ts'

const mask = '***masked***'
const schema = sectionSchemas.telephony
const line = { id: 'line', url: 'https://line.example', account: 'acme', key: 'line-key', token: 'line-token', mode: 'A', tags: ['x'] }
const present = schema.parse({ provider: line, defaultAgentId: 'a1', defaultAgentPassword: 'agent-password' })

describe('another provider', () => {
  test('replaces the previous provider with only its own settings', () => {
    const sent = { provider: { id: 'other', key: 'other-key' }, defaultAgentPassword: 'sent again' }
    expect(mergeDocument(schema, present, sent).provider).toEqual({ id: 'other', key: 'other-key' })
  })

  test('never gets the secret of the previous provider', () => {
    const sent = { provider: { id: 'other', key: mask }, defaultAgentPassword: 'sent again' }
    expect(() => mergeDocument(schema, present, sent)).toThrow('document.provider.key')
  })

  test('may be sent without its id if it stays the same', () => {
    expect(mergeDocument(schema, present, { provider: { mode: 'B' } }).provider).toEqual({ ...line, mode: 'B' })
  })

  test('that is unknown is refused', () => {
    expect(() => mergeDocument(schema, present, { provider: { id: 'nobody' } })).toThrow('document.provider.id')
  })
})

test('lists are replaced, not merged', () => {
  expect(mergeDocument(schema, present, { provider: { tags: [] } }).provider).toEqual({ ...line, tags: [] })
})

test('every error is named at once', () => {
  const sent = { sip: { wsPort: 0 }, defaultCountry: 'XX', unknown: 1, provider: { key: null } }
  const fields = ['document.defaultCountry', 'document.provider.key', 'document.sip.wsPort', 'document.unknown']
  expect(errorsOf(() => mergeDocument(schema, present, sent))).toEqual(fields)
})

test('a default agent that changes needs its own password', () => {
  expect(errorsOf(() => mergeDocument(schema, present, { defaultAgentId: 'a2' }))).toEqual(['document.defaultAgentPassword'])
  expect(mergeDocument(schema, present, { defaultAgentId: 'a2', defaultAgentPassword: null }).defaultAgentPassword).toBeNull()
})

test('masking changes only secrets', () => {
  const shown = { ...line, key: mask, token: mask }
  expect(maskSecrets(schema, present)).toEqual({ ...present, provider: shown, defaultAgentPassword: mask })
  expect(maskSecrets(schema, schema.parse({}))).toEqual(schema.parse({}))
})

test.each([
  ['a list', z.strictObject({ keys: z.array(z.strictObject({ key: z.string().meta({ secret: true }) })) })],
  ['a map', z.strictObject({ keys: z.record(z.string(), z.string().meta({ secret: true })) })],
])('a provider that hides a secret in %s is refused at start', (_what, settings) => {
  const schemas = createSectionSchemas({ ...sectionOptions, telephony: [{ id: 'hiding', title: 'Hiding', settings }] })
  expect(() => assertSecretsCanBeFound(schemas)).toThrow('marks a secret inside a list or a map')
  expect(() => assertSecretsCanBeFound(sectionSchemas)).not.toThrow()
})

function errorsOf(merge: () => unknown): string[] {
  const errorSchema = z.object({ data: z.object({ fields: z.array(z.object({ path: z.string() })) }) })
  try {
    merge()
  } catch (error) {
    return errorSchema
      .parse(error)
      .data.fields.map(({ path }) => path)
      .toSorted((a, b) => a.localeCompare(b))
  }
  throw new Error('The document was accepted')
}
