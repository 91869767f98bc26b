import { generateSync } from 'json-schema-faker'
import type { WireSchema } from './ask.ts'
import { inventText, seed, specialityForm } from './invent-text.ts'
import { type Material, overlap, stemsOf } from './material.ts'
import { listOf, numberIn, objectOf, resolved, textIn, typeOf } from './schema-parts.ts'
import type { Wanted } from './wanted.ts'

/** Makes a value that the schema allows, out of what the material says. The same prompt always gives the same value. */
export function inventValue(schema: WireSchema, material: Material, now: number): unknown {
  return invent({ schema, root: schema, name: '', material, now, siblings: '' })
}

function invent(wanted: Wanted): unknown {
  const schema = resolved(wanted.schema, wanted.root)
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return choose(schema['enum'], wanted)
  const union = listOf(schema['anyOf'] ?? schema['oneOf'])
  if (union.length > 0) return inventUnion(union, wanted)
  switch (typeOf(schema)) {
    case 'object':
      return inventObject(schema, wanted)
    case 'array':
      return inventArray(schema, wanted)
    case 'boolean':
      return overlap(wanted.name, wanted.material.text) > 0
    case 'integer':
    case 'number':
      return inventNumber(schema, wanted)
    case 'null':
      return null
    default:
      return inventText(schema, wanted)
  }
}

function inventUnion(union: readonly WireSchema[], wanted: Wanted): unknown {
  const options = union.filter((option) => option['type'] !== 'null')
  const nullable = options.length < union.length
  const [first = {}] = options
  if (nullable && !isCalledFor(wanted)) return null
  return invent({ ...wanted, schema: { ...first, description: first['description'] ?? wanted.schema['description'] } })
}

/** An optional value is given if the material mentions it: all words of its name, or some of its description. */
function isCalledFor({ name, schema, material }: Wanted): boolean {
  if (/special|department/i.test(name)) return specialityForm.test(material.text)
  return overlap(name, material.text) >= new Set(stemsOf(name)).size || overlap(textIn(schema, 'description'), material.text) > 2
}

function inventObject(schema: WireSchema, wanted: Wanted): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(objectOf(schema['properties']))) {
    const siblings = Object.values(made)
      .filter((value) => typeof value === 'string')
      .join(' ')
    made[name] = invent({ ...wanted, schema: objectOf(property), name, siblings })
  }
  return made
}

function inventArray(schema: WireSchema, wanted: Wanted): unknown[] {
  const items = objectOf(schema['items'])
  const least = numberIn(schema, 'minItems') ?? 0
  const most = numberIn(schema, 'maxItems') ?? 3
  const speakers = speakersIn(wanted.material)
  const itemProperties = objectOf(resolved(items, wanted.root)['properties'])
  if ('speaker' in itemProperties && speakers.length > 0) {
    return speakers.slice(0, Math.max(most, least)).map((speaker) => inventAbout(items, speaker, wanted))
  }
  const wantedCount = Math.max(least, Math.min(most, typeOf(resolved(items, wanted.root)) === 'object' ? 2 : 3))
  const made = Array.from({ length: wantedCount }, (_, index) =>
    invent({ ...wanted, schema: items, material: narrowed(wanted.material, index) }),
  )
  const different = made.filter((value, index) => made.findIndex((other) => JSON.stringify(other) === JSON.stringify(value)) === index)
  return different.length >= least ? different : made
}

/** Each item of a list speaks about another part of the material. */
function narrowed(material: Material, index: number): Material {
  if (material.sentences.length < 2) return material
  const offset = Math.floor((index * material.sentences.length) / 3) % material.sentences.length
  const sentences = [...material.sentences.slice(offset), ...material.sentences.slice(0, offset)]
  return { ...material, sentences }
}

type Speaker = { readonly label: string; readonly lines: readonly string[] }

function speakersIn(material: Material): readonly Speaker[] {
  let last: string | undefined
  const labelled = material.sentences.map((sentence) => {
    // Only the first sentence of an utterance bears the label; what follows the talk, such as numbered rules or records, is nobody's.
    last = /\bspeaker[\s_:="]*(\d+)/i.exec(sentence)?.[1] ?? (/^(?:\{|rule\d+:)/.test(sentence) ? undefined : last)
    return { sentence, label: last }
  })
  const labels = [...new Set(labelled.flatMap(({ label }) => label ?? []))].toSorted()
  return labels.map((label) => ({ label, lines: labelled.filter((line) => line.label === label).map(({ sentence }) => sentence) }))
}

function inventAbout(items: WireSchema, speaker: Speaker, wanted: Wanted): unknown {
  const material: Material = { ...wanted.material, sentences: speaker.lines, text: speaker.lines.join('\n') }
  const item = objectOf(invent({ ...wanted, schema: items, material }))
  const speakerSchema = objectOf(objectOf(resolved(items, wanted.root)['properties'])['speaker'])
  return { ...item, speaker: typeOf(speakerSchema) === 'string' ? speaker.label : Number(speaker.label) }
}

/** Words by which a choice shows itself, beyond those of its own name. */
const signs: Readonly<Record<string, string>> = {
  agent: 'thank calling help hospital desk may name speaking',
  customer: 'need want appointment doctor pain daughter son mother father report bill',
  call: 'call ring phone later',
  back: 'later tomorrow evening callback',
  book: 'appointment slot visit book',
  appointment: 'appointment slot visit book doctor',
  complaint: 'wrong waited angry complain rude overcharged',
  none: '',
  positive: 'thank wonderful great happy',
  negative: 'wrong angry complain terrible',
  resolved: 'thank done booked confirmed',
  broken: 'refuse wrong',
  met: 'thank calling confirm',
}

function choose(values: readonly unknown[], { name, schema, material, siblings }: Wanted): unknown {
  const described = `${name} ${textIn(schema, 'description')}`
  const subject = material.sentences.join(' ') || described
  const rated = values.map((value) => {
    const own = stemsOf(String(value)).map(
      (stem) => `${stem} ${signs[Object.keys(signs).find((sign) => sign.startsWith(stem)) ?? ''] ?? ''}`,
    )
    return { value, score: overlap(own.join(' '), `${subject} ${siblings}`) }
  })
  return rated.reduce((a, b) => (b.score > a.score ? b : a), rated[0] ?? { value: null, score: 0 }).value
}

/** The number that the material gives to this name; else one that the schema allows. */
function inventNumber(schema: WireSchema, { name, material }: Wanted): number {
  const low = numberIn(schema, 'minimum') ?? numberIn(schema, 'exclusiveMinimum') ?? 0
  const high = numberIn(schema, 'maximum') ?? numberIn(schema, 'exclusiveMaximum') ?? low + 10
  const named = new RegExp(`${name}\\D{0,12}(-?\\d+(?:\\.\\d+)?)`, 'i').exec(material.text)?.[1]
  if (named === undefined) return Number(generateSync({ ...schema, minimum: low, maximum: high }, { seed }))
  const bounded = Math.min(high, Math.max(low, Number(named)))
  return typeOf(schema) === 'integer' ? Math.round(bounded) : bounded
}
