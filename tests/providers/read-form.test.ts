import { expect, test } from 'vitest'
import { z } from 'zod'
import { readForm } from '../../src/providers/models/read-form.ts'

// How models write what they were asked for. That each answer costs one request is a promise of the port: tests/contracts/language-model.ts.
const schema = z.object({
  summary: z.string().max(400),
  action: z.enum(['CALL_BACK', 'BOOK_VISIT', 'NO_ACTION']),
  callBackAt: z.iso.datetime().nullable(),
})
const good = { summary: 'She wants a visit.', action: 'BOOK_VISIT', callBackAt: null } as const
const draft = { ...good, action: 'CALL_BACK' } as const
const [asGood, asDraft] = [JSON.stringify(good), JSON.stringify(draft)]
const absent = { summary: good.summary, action: good.action }
const timeZone = 'Asia/Kolkata'
const read = (text: string, isCut = false) => readForm(schema, { text, isCut, timeZone })

test.each([
  ['in a Markdown fence', `\`\`\`json\n${JSON.stringify(good)}\n\`\`\``],
  [
    'in a fence with another tag, between sentences',
    `Here it is:\n\n\`\`\`JSON5\n${JSON.stringify(good, null, 2)}\n\`\`\`\nAnything else?`,
  ],
  ['in a fence that does not end', `\`\`\`\n${JSON.stringify(good)}`],
  ['in the second of two fences', `A draft:\n\`\`\`json\n{"summary":"?"}\n\`\`\`\nBetter:\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\``],
  ['in a fence after a draft without one', `Perhaps ${JSON.stringify(draft)}\n\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\``],
  ['twice', `${JSON.stringify(good)}\n\nOnce more:\n\n${JSON.stringify(good)}`],
  ['between sentences with apostrophes', `Here's the form: ${JSON.stringify(good)} That's what it's about.`],
  ['between sentences with braces', `The form {as asked}: ${JSON.stringify(good)} (see {notes} and [1]).`],
  ['with a byte order mark', `\uFEFF${JSON.stringify(good)}`],
  ['with commas after the last value', '{"summary":"She wants a visit.","action":"BOOK_VISIT","callBackAt":null,}'],
  ['in single quotes, with Python’s names', "{'summary': 'She wants a visit.', 'action': 'BOOK_VISIT', 'callBackAt': None}"],
  ['in typographic quotes', '{“summary”: “She wants a visit.”, “action”: “BOOK_VISIT”, “callBackAt”: null}'],
  ['with comments', '{\n  // who\n  "summary": "She wants a visit.",\n  "action": "BOOK_VISIT", "callBackAt": null\n}'],
  ['in a list', JSON.stringify([good])],
  ['under a name', JSON.stringify({ result: good })],
  ['as a text of JSON', JSON.stringify(JSON.stringify(good))],
  ['with a choice in other letters', JSON.stringify({ ...good, action: 'Book visit' })],
  ['without what would be null', JSON.stringify({ summary: good.summary, action: good.action })],
  ['with a word for null', JSON.stringify({ ...good, callBackAt: 'N/A' })],
  ['with a choice in a list', JSON.stringify({ ...good, action: ['BOOK_VISIT'] })],
  ['as the call of a tool', JSON.stringify({ name: 'json', arguments: good })],
  ['in a program', `const answer = ${JSON.stringify(good)};`],
  ['with an empty text for null', JSON.stringify({ ...good, callBackAt: '' })],
  ['with a list of sentences for a text', JSON.stringify({ ...good, summary: ['She wants', 'a visit.'] })],
])('reads an answer %s', (_name, answer) => {
  expect(read(answer)).toMatchObject({ success: true, data: good })
})

test('cuts what is too long, and reads quoted numbers and empty lists', () => {
  const form = z.object({
    summary: z.string().max(20),
    wentWell: z.array(z.object({ text: z.string().max(12) })).max(2),
    toImprove: z.array(z.string()),
    tags: z.array(z.string()),
    score: z.int().min(1).max(5),
    share: z.number(),
  })
  const long = { text: 'He was friendly' }
  const answer = {
    summary: 'नमस्ते डॉक्टर साहब को दिखाना है',
    wentWell: [long, long, long],
    toImprove: null,
    tags: 'visit',
    score: '4',
    share: '0.5',
  }
  const { data: output } = readForm(form, { text: JSON.stringify(answer), isCut: false }) ?? {}
  expect(output).toEqual({
    summary: 'नमस्ते डॉक्टर साहब…',
    wentWell: [{ text: 'He was frie…' }, { text: 'He was frie…' }],
    toImprove: [],
    tags: ['visit'],
    score: 4,
    share: 0.5,
  })
})

test.each([
  ['2026-11-24T10:00:00', '2026-11-24T04:30:00.000Z'],
  ['2026-11-24 9:05', '2026-11-24T03:35:00.000Z'],
  ['2026-11-24T10:00:00+0100', '2026-11-24T09:00:00.000Z'],
  ['2026-11-24T10:00+05', '2026-11-24T05:00:00.000Z'],
  ['2026-11-24T10:00Z', '2026-11-24T10:00:00.000Z'],
])('the time %s of a workspace in India is %s', (written, moment) => {
  expect(read(JSON.stringify({ ...good, callBackAt: written }))?.data?.callBackAt).toBe(moment)
})

test.each([
  ['a time that is none', JSON.stringify({ ...good, callBackAt: 'tomorrow at ten' })],
  ['a day without a time', JSON.stringify({ ...good, callBackAt: '2026-11-24' })],
  ['a time in a zone that does not exist', JSON.stringify({ ...good, callBackAt: '2026-11-28T10:00+99:00' })],
  ['a day that does not exist', JSON.stringify({ ...good, callBackAt: '2026-02-30T10:00' })],
  ['an empty object', '{}'],
  ['the schema in place of a value', JSON.stringify({ type: 'object', properties: { summary: { type: 'string' } } })],
  ['a sentence that is cut off', `{"action":"NO_ACTION","callBackAt":null,"summary":"She took [2] tablets and does`],
  [
    'a draft before an answer that does not fit',
    `Draft: ${asDraft} On reflection he refuses calls: ${asDraft.replace('CALL_BACK', 'DO_NOT_CALL')}`,
  ],
  ['a draft before an answer that is cut off', `${asDraft} So: {"action":"NO_ACTION","reason":"does not`],
  ['a draft before its correction', `${asDraft}\n\nNo, she asked for a visit:\n\n${asGood}`],
  ['a draft in a fence before its correction', `\`\`\`json\n${asDraft}\n\`\`\`\nNo: ${asGood}`],
  ['an answer before an example', `${asGood}\n\nFor example, had he asked for a call: ${asDraft}`],
  ['two answers in two fences', `\`\`\`json\n${asDraft}\n\`\`\`\n\`\`\`json\n${asGood}\n\`\`\``],
  ['two answers in a list', `[${asDraft},${asGood}]`],
  ['two answers under two names', `{"previous":${asDraft},"answer":${asGood}}`],
  ['an example beside an answer that does not fit', `{"example":${asDraft},"result":{"action":"DO_NOT_CALL"}}`],
  ['quotation marks in a text', `{"summary":"Takes "Ecosprin", not "Clopidogrel" any more","action":"NO_ACTION","callBackAt":null}`],
  ['a text that ends too early', `{"summary":"Takes Ecosprin", not: "Clopidogrel", "action":"NO_ACTION","callBackAt":null}`],
  ['a text without its last quotation mark', `{"summary":"She does not, "action":"NO_ACTION","callBackAt":null}`],
  ['a value under a name that the form does not have', JSON.stringify({ ...absent, callbackTime: '2026-11-28T10:00' })],
  ['two values for a name', JSON.stringify({ ...good, call_back_at: '2026-11-28T10:00' })],
  ['two values for two spellings', JSON.stringify({ ...absent, call_back_at: null, callbackat: '2026-11-28T10:00' })],
  ['brackets without an end', '['.repeat(50_000)],
  ['braces without an end', '{'.repeat(50_000)],
  ['countless objects', '{}'.repeat(25_000)],
  ['nothing', ''],
])('finds no meaning in %s', (_name, answer) => {
  expect(read(answer)?.data).toBeUndefined()
})

test.each([' Or is it', ' Or {not}', ' No: {"action":"NO_ACTION","summary":"She does not {x}'])(
  'finds no meaning in a draft before the place where the answer was cut off:%s',
  (rest) => {
    expect(read(`${asGood}${rest}`, true)).toBeNull()
  },
)

test('reads an answer that was cut off behind its end', () => {
  expect(read(`\`\`\`json\n${asGood}\n\`\`\``, true)?.data).toEqual(good)
})

test('takes a name in another spelling for the same, and not for absent', () => {
  const { summary, action } = good
  expect(read(JSON.stringify({ Summary: summary, action, call_back_at: '2026-11-24 10:00' }))?.data).toEqual({
    summary,
    action,
    callBackAt: '2026-11-24T04:30:00.000Z',
  })
})

test('a time without a zone has none if that of the workspace is not known', () => {
  const text = JSON.stringify({ ...good, callBackAt: '2026-11-24T10:00:00' })
  expect(readForm(schema, { text, isCut: false })?.success).toBe(false)
})
