import { describe, expect, test } from 'vitest'
import {
  linkOf,
  momentOf,
  numberOf,
  phonePattern,
  phonesOf,
  selectionOf,
  textOf,
  writableValue,
} from '../../src/providers/platform/field-values.ts'
import { createDataModel } from '../../src/providers/platform/data-model.ts'
import type { PlatformEndpoint, PlatformRequest } from '../../src/providers/platform/endpoint.ts'
import type { z } from 'zod'

const shape = (typeName: string, values: readonly string[] | null = null) => ({
  typeName,
  isObject: values === null && typeName !== 'String',
  values,
})

describe('values of the platform', () => {
  test.each([
    ['  text ', 'text'],
    [' ', null],
    [7, '7'],
    [false, 'false'],
    [null, null],
    [{ firstName: 'Asha', lastName: 'Rao' }, 'Asha Rao'],
    [{ markdown: 'a' }, 'a'],
    [{ primaryEmail: 'a@x.example' }, 'a@x.example'],
    [{ primaryLinkUrl: 'https://x.example' }, 'https://x.example'],
    [{ primaryPhoneNumber: '9876543210', primaryPhoneCallingCode: '+91' }, '+919876543210'],
    [{ primaryPhoneNumber: '+919876543210', primaryPhoneCallingCode: '+91' }, '+919876543210'],
    [{ primaryPhoneNumber: '', primaryPhoneCallingCode: '+91' }, null],
    [{ other: 'a' }, null],
  ])('the text of %j is %j', (value, text) => expect(textOf(value)).toBe(text))

  test.each([
    ['2026-01-01T05:30:00+05:30', '2026-01-01T00:00:00.000Z'],
    ['soon', null],
    [7, null],
  ])('the moment of %j is %j', (value, moment) => expect(momentOf(value)).toBe(moment))

  test.each([
    [7, 7],
    ['7.5', 7.5],
    ['', null],
    ['seven', null],
    [Number.POSITIVE_INFINITY, null],
    [null, null],
  ])('the number of %j is %j', (value, number) => expect(numberOf(value)).toBe(number))

  test.each([
    [' https://x.example ', 'https://x.example'],
    [{ primaryLinkUrl: 'https://x.example' }, 'https://x.example'],
    [{ primaryLinkUrl: '' }, null],
    [null, null],
  ])('the link of %j is %j', (value, link) => expect(linkOf(value)).toBe(link))

  const one = (number: string, changes = {}) => ({ number, valid: true, primary: true, ...changes })
  test.each([
    ['098765 43210', [one('+919876543210')]],
    [' ', []],
    ['12', [one('12', { valid: false })]],
    [{ primaryPhoneNumber: '9876543210', primaryPhoneCallingCode: '+91' }, [one('+919876543210')]],
    [{ primaryPhoneNumber: '+919876543210', primaryPhoneCallingCode: '+91' }, [one('+919876543210')]],
    [{ primaryPhoneNumber: '', primaryPhoneCallingCode: '+91' }, []],
    [{ primaryPhoneNumber: '', additionalPhones: ['9876543210'] }, [one('+919876543210', { primary: false })]],
    [
      {
        additionalPhones: [
          { number: '9876543210', callingCode: '+91' },
          { number: '+12125550123', callingCode: '+1' },
          { number: '' },
          null,
        ],
      },
      [one('+919876543210', { primary: false }), one('+12125550123', { primary: false })],
    ],
    [{ additionalPhones: 'none' }, []],
  ])('the numbers of %j are %j', (value, numbers) => expect(phonesOf(value, 'IN')).toEqual(numbers))

  test('a pattern has the national digits of a number, or all that a text has', () => {
    expect(phonePattern('+919876543210')).toBe('%9%8%7%6%5%4%3%2%1%0%')
    expect(phonePattern('5232')).toBe('5232')
  })

  test('a composite value is selected by its parts, a relation not at all', () => {
    expect([selectionOf(shape('String')), selectionOf(shape('FullName')), selectionOf(shape('Lead'))]).toEqual([
      '',
      ' { firstName lastName }',
      null,
    ])
  })

  test.each([
    [shape('String'), 'a', 'a'],
    [shape('String'), null, null],
    [shape('Links'), null, undefined],
    [shape('State', ['FREE']), 'FREE', 'FREE'],
    [shape('State', ['FREE']), 'BUSY', undefined],
    [shape('FullName'), 'Asha', { firstName: 'Asha', lastName: '' }],
    [shape('RichText'), 'a', { markdown: 'a' }],
    [shape('Phones'), '+919876543210', { primaryPhoneNumber: '+919876543210' }],
    [shape('Phones'), '12', undefined],
    [shape('Links'), 'https://x.example/a', { primaryLinkUrl: 'https://x.example/a', primaryLinkLabel: '' }],
    [shape('Links'), 'http://localhost/a', { primaryLinkUrl: 'http://localhost/a', primaryLinkLabel: '' }],
    [shape('Links'), 'http://single/a', undefined],
    [shape('Links'), 'http://[::1]/a', undefined],
    [shape('Links'), 's3://x.example/a', undefined],
    [shape('Lead'), 'a', undefined],
  ])('a field %j takes %j as %j', (field, value, written) => expect(writableValue(field, value)).toEqual(written))

  test('a link that changes keeps its label and further links', () => {
    const current = { primaryLinkUrl: 'https://old.example', primaryLinkLabel: 'Recording', secondaryLinks: [{ url: 'https://b.example' }] }
    expect(writableValue(shape('Links'), 'https://x.example', current)).toEqual({ ...current, primaryLinkUrl: 'https://x.example' })
    expect(writableValue(shape('Links'), 'https://x.example', { secondaryLinks: null })).not.toHaveProperty('secondaryLinks')
  })
})

describe('the data model', () => {
  /** The inputs that reach the platform; it answers each request with `answer`. */
  function modelThatAnswers(answer: unknown) {
    const inputs: unknown[] = []
    let forgotten = 0
    const endpoint: PlatformEndpoint = {
      async request<Schema extends z.ZodType>(request: PlatformRequest<Schema>) {
        inputs.push(request.variables?.['input'])
        return request.answer.parse(answer)
      },
      onMemberGone: () => undefined,
    }
    return { model: createDataModel(endpoint, { invalidateAll: () => void (forgotten += 1) }), inputs, forgotten: () => forgotten }
  }
  const field = { objectId: 'o', name: 'n', label: 'l', description: 'd', isUnique: false, options: [], relation: null }
  const written = { objectMetadataId: 'o', name: 'n', label: 'l', description: 'd', isNullable: true }

  test('objects and fields are created as they were asked for, and the shapes are forgotten', async () => {
    const { model, inputs, forgotten } = modelThatAnswers({ created: { id: 'i' } })
    const object = { singular: 's', plural: 'p', singularLabel: 'S', pluralLabel: 'P', icon: 'I' }
    expect(await model.createObject('t', object)).toBe('i')
    await model.createField('t', { ...field, type: 'TEXT' })
    await model.createField('t', { ...field, type: 'PHONES', isUnique: true })
    await model.createField('t', { ...field, type: 'SELECT', options: ['IN_PROGRESS', 'DONE'] })
    await model.createField('t', { ...field, type: 'RELATION', relation: { targetId: 'r', backLabel: 'b', backIcon: 'c' } })
    const payload = { type: 'MANY_TO_ONE', targetObjectMetadataId: 'r', targetFieldLabel: 'b', targetFieldIcon: 'c' }
    expect(inputs).toEqual([
      { object: { nameSingular: 's', namePlural: 'p', labelSingular: 'S', labelPlural: 'P', icon: 'I' } },
      { field: { ...written, type: 'TEXT', icon: 'IconTypography' } },
      { field: { ...written, type: 'PHONES', icon: 'IconPhone', isUnique: true } },
      {
        field: {
          ...written,
          type: 'SELECT',
          icon: 'IconTag',
          options: [
            { value: 'IN_PROGRESS', label: 'In progress', color: 'blue', position: 0 },
            { value: 'DONE', label: 'Done', color: 'green', position: 1 },
          ],
        },
      },
      { field: { ...written, type: 'RELATION', icon: 'IconRelationManyToOne', relationCreationPayload: payload } },
    ])
    expect(forgotten()).toBe(5)
  })

  test('is read as the platform has it', async () => {
    const relation = (type: string) => ({ type, targetObjectMetadata: { nameSingular: 'lead' } })
    const fields = [
      { name: 'a', type: 'SELECT', isActive: null, options: [{ value: 'X' }] },
      { name: 'b', type: 'RELATION', isActive: false, relation: relation('MANY_TO_ONE') },
      { name: 'c', type: 'RELATION', isActive: true, relation: relation('ONE_TO_MANY') },
    ].map((node) => ({ node }))
    const node = { id: 'o', nameSingular: 's', namePlural: 'p', isActive: true, fields: { edges: fields } }
    const { model } = modelThatAnswers({ objects: { edges: [{ node }] } })
    expect(await model.objects('t')).toEqual([
      {
        id: 'o',
        singular: 's',
        plural: 'p',
        isActive: true,
        fields: [
          { name: 'a', type: 'SELECT', isActive: true, options: ['X'], target: null },
          { name: 'b', type: 'RELATION', isActive: false, options: [], target: 'lead' },
          { name: 'c', type: 'RELATION', isActive: true, options: [], target: null },
        ],
      },
    ])
  })

  test('a right on one object counts before the right on all; a role that is missing has none', async () => {
    const role = (label: string, all: boolean, own: boolean | null) => ({
      id: `id of ${label}`,
      label,
      canUpdateAllObjectRecords: all,
      objectPermissions: [{ objectMetadataId: 'o', canUpdateObjectRecords: own }],
    })
    const getRoles = [role('Read', true, false), role('Write', false, true), role(' All ', true, null)]
    const { model } = modelThatAnswers({ getRoles })
    const may = (roleLabel: string, objectId = 'o') => model.mayChangeRecords('t', { objectId, roleLabel })
    expect([await may('Read'), await may('Write'), await may('All'), await may('Read', 'other'), await may('None')]).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
    await expect(model.makeReadOnly('t', { objectId: 'o', roleLabel: 'None' })).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    const changing = modelThatAnswers({ getRoles, upsertObjectPermissions: [] })
    await changing.model.makeReadOnly('t', { objectId: 'o', roleLabel: 'All' })
    const readOnly = { canUpdateObjectRecords: false, canSoftDeleteObjectRecords: false, canDestroyObjectRecords: false }
    expect(changing.inputs.at(-1)).toEqual({
      roleId: 'id of  All ',
      objectPermissions: [{ objectMetadataId: 'o', canReadObjectRecords: true, ...readOnly }],
    })
  })

  test('only missing columns are added to a list, others are moved, and nothing is done without a list', async () => {
    const fields = { edges: ['a', 'b', 'c'].map((name) => ({ node: { id: `field ${name}`, name } })) }
    const viewFields = [{ id: 'column b', fieldMetadataId: 'field b' }]
    const done = { createManyViewFields: [], updateViewField: { id: 'column b' }, object: { fields } }
    const columns = ['a', 'b', 'x'].map((name, position) => ({ name, position }))
    const show = async (view: object, wanted = columns) => {
      const { model, inputs } = modelThatAnswers({ ...done, getViews: [{ id: 'v', viewFields, ...view }] })
      await model.showColumns('t', { objectId: 'o', columns: wanted })
      return inputs.slice(1)
    }
    const move = { id: 'column b', update: { isVisible: true, position: 1 } }
    // The inputs of the new columns have a name of their own.
    expect(await show({ key: 'INDEX' })).toEqual([undefined, move])
    expect(await show({ key: 'INDEX' }, [{ name: 'b', position: 1 }])).toEqual([move])
    expect(await show({ key: null })).toEqual([])
  })
})
