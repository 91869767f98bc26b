import { generateSync } from 'json-schema-faker'
import type { WireSchema } from './ask.ts'
import { type Material, overlap, sentenceAbout, stemsOf } from './material.ts'
import { numberIn, textIn } from './schema-parts.ts'
import { personName, phoneIn } from './said.ts'
import type { Wanted } from './wanted.ts'

export const specialityForm =
  /\b(?:cardio\w*|ortho\w*|p(?:a)?ediatric\w*|derma\w*|neuro\w*|gyn(?:a)?ec\w*|dent\w+|ophthal\w*|oncolog\w*|urolog\w*|ENT|general medicine)\b/i
/** The same prompt always gives the same answer. */
export const seed = 1
const idForm = /^[\w-]*id$/i

/** A text for what its name and description ask for, within the lengths that the schema allows. */
export function inventText(schema: WireSchema, wanted: Wanted): string {
  const formatted = inFormat(textIn(schema, 'format'), wanted)
  if (formatted !== null) return formatted
  if ('format' in schema || 'pattern' in schema) return String(generateSync(schema, { seed }))
  return fitted(wording(schema, wanted), schema)
}

function inFormat(format: string, { material, now }: Wanted): string | null {
  const tomorrow = new Date(now + 86_400_000).toISOString()
  switch (format) {
    case 'date-time':
      return /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(material.text)?.[0] ?? tomorrow
    case 'date':
      return /\d{4}-\d\d-\d\d/.exec(material.text)?.[0] ?? tomorrow.slice(0, 10)
    case 'email':
      return /[\w.+-]+@[\w-]+\.[\w.]+\w/.exec(material.text)?.[0] ?? 'nobody@example.com'
    default:
      return null
  }
}

function wording(schema: WireSchema, wanted: Wanted): string {
  const { name, material, siblings } = wanted
  if (idForm.test(name) || /utterance|evidence|cite/i.test(name)) return shownId(wanted) ?? ''
  if (/phone|mobile/i.test(name)) return phoneIn(material.text) ?? ''
  if (/special|department/i.test(name)) return specialityForm.exec(material.text)?.[0] ?? ''
  if (/name$/i.test(name)) return personName(material.text) ?? ''
  if (/summary|overview|text|note/i.test(name)) return summaryOf(material)
  if (/^who/i.test(name)) return unmarked(material.sentences[0] ?? material.text)
  if (/opening|greeting/i.test(name)) return greetingIn(material)
  const wantedWords = `${name} ${textIn(schema, 'description')} ${siblings}`
  // What is said beside it is not said again, if there is something else to say.
  const others = { ...material, sentences: material.sentences.filter((sentence) => !siblings.includes(unmarked(sentence))) }
  const about = sentenceAbout(others, wantedWords) ?? sentenceAbout(material, wantedWords)
  return about === null ? summaryOf(material) : unmarked(about)
}

/** What an agent says first to the person whom the material begins with. */
function greetingIn({ sentences }: Material): string {
  const first = /^\p{Lu}\p{L}+(?= \p{Lu}\p{L}+)/u.exec(sentences[0] ?? '')?.[0]
  return `Hello${first === undefined ? '' : ` ${first}`}, how can I help you today?`
}

/** An identifier that the material shows: of a tool's record that fits the talk best, or the mark before a line. */
function shownId({ name, material, siblings }: Wanted): string | null {
  const rated = material.records.flatMap((record) => {
    const id = record[name] ?? record['id']
    return typeof id === 'string' ? [{ id, score: overlap(JSON.stringify(record), material.text) + (name in record ? 0.5 : 0) }] : []
  })
  const shown = rated.reduce((a, b) => (b.score > a.score ? b : a), { id: '', score: -1 })
  if (shown.score >= 0) return shown.id
  const marked = material.sentences.flatMap((sentence) => {
    const id = /^\W{0,3}(?:id[=:]\s*"?)?([a-z]{1,9}[-_]?\d+)\b/i.exec(sentence)?.[1]
    return id === undefined ? [] : [{ id, score: overlap(siblings, sentence) }]
  })
  const [first] = marked
  return first ? marked.reduce((a, b) => (b.score > a.score ? b : a), first).id : null
}

/** Without the mark of a transcript's line: `[u3] speaker 1: `. */
function unmarked(sentence: string): string {
  return sentence.replace(/^\W{0,3}[a-z]{1,9}[-_]?\d+\W{1,3}speaker \d+:\s*/i, '')
}

/** The first sentences that say something, up to about forty words. */
export function summaryOf(material: Material): string {
  const telling = material.sentences.filter((sentence) => stemsOf(sentence).length >= 3)
  const chosen: string[] = []
  for (const sentence of telling) {
    if (chosen.join(' ').split(' ').length > 40) break
    chosen.push(unmarked(sentence))
  }
  return chosen.join(' ') || material.text.slice(0, 200) || 'Nothing was said.'
}

function fitted(text: string, schema: WireSchema): string {
  const most = numberIn(schema, 'maxLength')
  const least = numberIn(schema, 'minLength') ?? 0
  return (most === undefined ? text : text.slice(0, most)).padEnd(least, '.')
}
