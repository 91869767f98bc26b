import { buildSchema, getNullableType, type GraphQLInputType, isInputObjectType, isListType } from 'graphql'
import { expect, test } from 'vitest'
import { limitFaults } from '../../src/server/graphql/input-limits/limit-faults.ts'
import { type InputLimit, limitOf } from '../../src/server/graphql/input-limits/input-limit.ts'
import { textForms } from '../../src/server/graphql/input-limits/text-forms.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'

const schema = buildSchema(readContract())
const rootFields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}),
)
const argumentsOf = ({ args }: (typeof rootFields)[number]) => Object.fromEntries(args.map((argument) => [argument.name, argument]))

type Wrong = { readonly path: string; readonly value: unknown }

/** Values that are just over each limit of an argument, and the paths that the errors must name. */
function wrongValues({ type, limit, path }: { type: GraphQLInputType; limit: InputLimit | null; path: string }): readonly Wrong[] {
  const named = getNullableType(type)
  if (isInputObjectType(named)) {
    return Object.values(named.getFields()).flatMap((field) =>
      wrongValues({ type: field.type, limit: limitOf(field.astNode), path: `${path}.${field.name}` }).map((wrong) => ({
        ...wrong,
        value: { [field.name]: wrong.value },
      })),
    )
  }
  if (isListType(named)) {
    const items = wrongValues({ type: named.ofType, limit, path: `${path}.0` }).map((wrong) => ({ ...wrong, value: [wrong.value] }))
    const tooMany = Array.from({ length: (limit?.maxItems ?? 0) + 1 }, () => null)
    const tooFew = limit?.minItems ? [{ path, value: [] }] : []
    return [...items, { path, value: tooMany }, ...tooFew]
  }
  return limit ? wrongLeaves(limit).map((value) => ({ path, value })) : []
}

function wrongLeaves({ form, minLength, maxLength, minimum, maximum }: InputLimit): readonly unknown[] {
  if (minimum !== undefined && maximum !== undefined) return [minimum - 1, maximum + 1]
  const ofForm = form === textForms.IDENTIFIER ? ['x:', ':x'] : []
  return ['x'.repeat((maxLength ?? 0) + 1), '😀'.repeat((maxLength ?? 0) + 1), 'x\0', ...(minLength > 0 ? [''] : []), ...ofForm]
}

test('every value that is over a limit of the contract is refused by name', () => {
  const accepted: string[] = []
  let count = 0
  for (const field of rootFields) {
    for (const { name, type, astNode } of field.args) {
      for (const { path, value } of wrongValues({ type, limit: limitOf(astNode), path: name })) {
        count += 1
        const [fault, ...others] = limitFaults(argumentsOf(field), { [name]: value })
        if (fault?.path !== path || others.length > 0)
          accepted.push(`${field.name}: ${path}, but the error names ${fault?.path ?? 'nothing'}`)
      }
    }
  }
  expect(accepted).toEqual([])
  expect(count).toBeGreaterThan(200)
})

test('text in any script, and what a word processor leaves in it, is within the limits of notes', () => {
  const input = schema.getMutationType()?.getFields()['submitDisposition']
  if (!input) throw new Error('the contract has no submitDisposition')
  for (const notes of ['', 'Line\v\fbreaks\u0085\u2028 \u200d', 'ನಮಸ್ಕಾರ 😀', '😀'.repeat(8_000)]) {
    expect(limitFaults(argumentsOf(input), { input: { notes } })).toEqual([])
  }
})

test('a list of wrong values names fifty of them and repeats none', () => {
  const field = schema.getQueryType()?.getFields()['recordingAnalyses']
  if (!field) throw new Error('the contract has no recordingAnalyses')
  const faults = limitFaults(argumentsOf(field), { callIds: Array.from({ length: 400 }, () => 'a secret value') })
  expect(faults).toHaveLength(50)
  expect(JSON.stringify(faults)).not.toContain('secret')
})
