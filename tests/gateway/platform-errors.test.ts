import { expect, test } from 'vitest'
import { z } from 'zod'
import { bodyWithCodes } from '../../src/server/graphql/platform-errors.ts'
import { readFlows } from '../harness/recorded-flows.ts'

const flows = readFlows(new URL('../fixtures/platform/recorded/flows-edge.jsonl', import.meta.url))
const errorsSchema = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string(), extensions: z.looseObject({ code: z.string().optional() }).optional() })),
})
const came = { requestId: 'r-1', isAnonymous: false }

const answers = flows.flatMap(({ name, response }) => {
  const found = errorsSchema.safeParse(response.body).data
  return found ? [{ name, status: response.status, body: Buffer.from(JSON.stringify(response.body)), ...found }] : []
})
const lacksCode = ({ errors }: (typeof answers)[number]) => errors.some(({ extensions }) => extensions?.code === undefined)

const hasData = ({ data }: (typeof answers)[number]) => data !== null && data !== undefined

test('every recorded answer of the platform without data has a code in each error, those that it had included', () => {
  expect(answers.filter(lacksCode).length).toBeGreaterThan(50)
  for (const answer of answers.filter((each) => !hasData(each))) {
    const { name, status, body } = answer
    const { errors } = errorsSchema.parse(JSON.parse(bodyWithCodes(body, { ...came, status }).toString()))
    expect(
      errors.map(({ message }) => message),
      name,
    ).toEqual(answer.errors.map(({ message }) => message))
    for (const [index, { extensions }] of errors.entries()) {
      expect(extensions?.code, name).toBeTypeOf('string')
      expect(extensions?.code, name).toBe(answer.errors[index]?.extensions?.code ?? extensions?.code)
    }
  }
})

test('recorded answers with errors and data stay byte for byte', () => {
  for (const { name, status, body } of answers.filter(hasData)) expect(bodyWithCodes(body, { ...came, status }), name).toBe(body)
})

test('recorded refusals of a document are the client’s fault, and not to be repeated', () => {
  const refused = answers.filter(({ name }) => /^doc\.(?:syntax-error|unknown-root|unknown-mutation)/.test(name))
  expect(refused.length).toBeGreaterThan(2)
  for (const { name, status, body } of refused) {
    const shown: unknown = JSON.parse(bodyWithCodes(body, { ...came, status }).toString())
    expect(shown, name).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', retryable: false } }] })
  }
})
