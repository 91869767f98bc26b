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
  ['corrected', `${JSON.stringify({ ...good, action: 'NO_ACTION' })}\n\nNo, she asked for a visit:\n\n${JSON.stringify(good)}`],
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
  ['a day that does not exist', JSON.stringify({ ...good, callBackAt: '2026-02-30T10:00' })],
  ['an empty object', '{}'],
  ['the schema in place of a value', JSON.stringify({ type: 'object', properties: { summary: { type: 'string' } } })],
  ['a sentence that is cut off', `{"action":"NO_ACTION","callBackAt":null,"summary":"She took [2] tablets and does`],
  ['brackets without an end', '['.repeat(50_000)],
  ['nothing', ''],
])('finds no meaning in %s', (_name, answer) => {
  expect(read(answer)?.data).toBeUndefined()
})

test('finds no meaning in a draft before the place where the answer was cut off', () => {
  expect(read(`${JSON.stringify(good)} Or is it`, true)).toBeNull()
  expect(read(`\`\`\`json\n${JSON.stringify(good)}\n\`\`\``, true)?.data).toEqual(good)
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
