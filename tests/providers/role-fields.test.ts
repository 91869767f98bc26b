import { expect, test } from 'vitest'
import { appErrorOf } from '../../src/providers/platform/errors.ts'
import { createRoleFields } from '../../src/providers/platform/role-fields.ts'

const unknownField = () =>
  appErrorOf({
    message: 'Cannot query field "canUpdateAllSettings" on type "Role".',
    extensions: { code: null, subCode: null, conflictingRecordId: null },
  })

test('requests that run while the first refusal is under way are all asked again without the field', async () => {
  const roleFields = createRoleFields()
  const refused = Promise.withResolvers<never>()
  const asked: string[] = []
  const ask = () =>
    roleFields.ask(async (fields) => {
      asked.push(fields)
      return fields.includes('canUpdateAllSettings') ? refused.promise : 'answer'
    })
  const both = Promise.all([ask(), ask()])
  refused.reject(unknownField())
  expect(await both).toEqual(['answer', 'answer'])
  expect(await ask()).toBe('answer')
  expect(asked.filter((fields) => fields.includes('canUpdateAllSettings')).length).toBe(2)
})

test('a refusal of another field does not take the right away for later requests', async () => {
  const roleFields = createRoleFields()
  await expect(roleFields.ask(() => Promise.reject(unknownField()))).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
  expect(await roleFields.ask((fields) => Promise.resolve(fields))).toContain('canUpdateAllSettings')
})
