import { readFileSync } from 'node:fs'
import { buildSchema, isEnumType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { alertKinds, thresholdFields } from '../../src/features/alerts/alert.ts'
import { createSectionSchemas } from '../../src/features/configuration/section-schemas.ts'
import { sectionJsonSchema } from '../../src/features/configuration/section-json-schema.ts'
import { auditActions } from '../../src/ports/audit.ts'
import { sectionNames } from '../../src/ports/configuration/configuration.ts'
import { eventSchemas } from '../../src/ports/event-catalogue.ts'
import { modelVendors } from '../../src/providers/models/vendors.ts'
import { choicesOf, telephonyProviders } from '../../src/providers/telephony/registry.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { subjects } from '../../src/web/console/areas/administration/audit/entries.ts'
import { useActionTexts } from '../../src/web/console/areas/administration/audit/texts.ts'
import { cardsOf } from '../../src/web/console/areas/administration/configuration/form/cards.ts'
import { brands, textFor } from '../../src/web/console/areas/administration/configuration/form/field-names.ts'
import { useFormTexts } from '../../src/web/console/areas/administration/configuration/form/form-texts.ts'
import { hindiHints } from '../../src/web/console/areas/administration/configuration/form/hindi-hints.ts'
import { useLabelTexts } from '../../src/web/console/areas/administration/configuration/form/label-texts.ts'
import { type Field, fieldsOf } from '../../src/web/console/areas/administration/configuration/form/schema.ts'
import { useEventTexts } from '../../src/web/console/areas/administration/dead-letters/texts.ts'

/**
 * What is declared once in the service has its texts, forms and pages elsewhere. The compiler names most of what is missing; this names the
 * rest.
 */
const schemas = createSectionSchemas({ defaultCountry: 'IN', ...choicesOf(telephonyProviders), models: modelVendors })
const contract = buildSchema(readContract())
const labels = useLabelTexts.all.en
const nameInContract = {
  telephony: 'TELEPHONY',
  ai: 'AI',
  widget: 'WIDGET',
  theme: 'THEME',
  platform: 'PLATFORM',
  alerts: 'ALERTS',
} as const

describe.each(sectionNames)('the section %s', (section) => {
  const fields = fieldsOf(sectionJsonSchema(schemas[section]))
  const all = fieldsIn(fields, [section])

  test('has a label for each field, and a Hindi hint', () => {
    expect(all.filter(({ path }) => textFor(labels, path) === null).map(nameOf)).toEqual([])
    expect(
      all.filter(({ path, field }) => field.description !== null && textFor(hindiHints, path, field.owner) === null).map(nameOf),
    ).toEqual([])
  })

  test('has a name for each value of a choice', () => {
    const names: Readonly<Record<string, unknown>> = { ...useFormTexts.all.en, ...brands }
    const values = all.flatMap(({ field }) => (field.kind === 'choice' || field.kind === 'set' ? field.values : []))
    expect(values.filter((value) => typeof value === 'string' && names[value] === undefined)).toEqual([])
  })

  test('shows each field in a card', () => {
    const cards = cardsOf(nameInContract[section], fields)
    expect(cards.find(({ title }) => title === 'others')?.fields.map(({ key }) => key) ?? []).toEqual([])
  })
})

test('each kind of alert is in the contract, and has a documented threshold of its own', () => {
  expect(valuesOf('AlertKind')).toEqual(alertKinds)
  const numbers = fieldsOf(sectionJsonSchema(schemas.alerts)).filter(({ kind }) => kind === 'number')
  expect(Object.values(thresholdFields).toSorted()).toEqual(numbers.map(({ key }) => key).toSorted())
  const page = readFileSync('docs/configuration.md', 'utf8')
  expect(Object.values(thresholdFields).filter((field) => !page.includes(`| \`${field}\` |`))).toEqual([])
})

test('each telephony provider is in the contract', () => {
  expect(valuesOf('TelephonyProvider')).toEqual(telephonyProviders.map(({ id }) => id))
})

test('each event is in the documentation, and has a name in the console', () => {
  const page = readFileSync('docs/events.md', 'utf8')
  expect(Object.keys(eventSchemas).filter((topic) => !page.includes(topic))).toEqual([])
  expect(Object.keys(eventSchemas).filter((topic) => !Object.hasOwn(useEventTexts.all.en, topic))).toEqual([])
})

test('each audited action has a name in the console, and a subject in its filter', () => {
  expect(Object.keys(useActionTexts.all.en)).toEqual(auditActions)
  expect(new Set(auditActions.map((action) => action.split('.')[0]))).toEqual(new Set(subjects))
})

type Found = { readonly field: Field; readonly path: readonly string[] }

/** Also those in groups, lists and providers. The names of the platform's own fields are names everywhere. */
function fieldsIn(fields: readonly Field[], before: readonly string[]): readonly Found[] {
  if (before[0] === 'platform' && before.includes('fields')) return []
  return fields.flatMap((field) => {
    const path = [...before, field.key]
    return [{ field, path }, ...fieldsIn(partsOf(field), path)]
  })
}

function partsOf(field: Field): readonly Field[] {
  if (field.kind === 'variant') return field.options.flatMap((option) => option.fields)
  return field.kind === 'group' || field.kind === 'items' ? field.fields : []
}

function nameOf({ field, path }: Found): string {
  return `${path.join('.')}${field.owner === null ? '' : ` of ${field.owner}`}`
}

function valuesOf(name: string): readonly string[] {
  const type = contract.getType(name)
  return isEnumType(type) ? type.getValues().map((value) => value.name) : []
}
