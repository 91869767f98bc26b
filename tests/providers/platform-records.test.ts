import { buildSchema, isInputObjectType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { agentProfileRecord, agentRecord } from '../../src/ports/records/agent.ts'
import { platformRecords } from '../../src/ports/records/platform-records.ts'
import { inputSchemas, type RecordType, standardName } from '../../src/ports/records/record.ts'
import { readRecord } from '../../src/providers/platform/read-record.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'

const contract = buildSchema(readContract())

function fieldsOf(typeName: string): readonly string[] {
  const type = contract.getType(typeName)
  if (!isObjectType(type) && !isInputObjectType(type)) throw new Error(`${typeName} is no type with fields`)
  return Object.keys(type.getFields())
}

describe('the contract shows every field that a platform record declares', () => {
  const { lead, call, doctor, visitSlot } = platformRecords
  test.each([
    { type: 'AgentProfile', fields: agentProfileRecord.fields, notShown: ['memberId', 'sipExtension'] },
    { type: 'TeamAgent', fields: agentProfileRecord.fields, notShown: ['memberId'] },
    { type: 'TeamAgentInput', fields: inputSchemas(agentRecord), notShown: [] },
    // `phoneNumber` and `insight` are made of these.
    { type: 'LeadSummary', fields: lead.fields, notShown: ['phones', 'agentId', 'aiSummary', 'aiSuggestedAction', 'aiInsightAt'] },
    {
      type: 'CallSummary',
      fields: call.fields,
      notShown: ['name', 'answeredAt', 'wrapUpSeconds', 'phoneNumber', 'did', 'campaignName', 'recordingUrl', 'leadId'],
    },
    { type: 'DirectoryDoctor', fields: doctor.fields, notShown: [] },
    { type: 'DirectorySlot', fields: visitSlot.fields, notShown: [] },
  ])('$type', ({ type, fields, notShown }) => {
    const shown = fieldsOf(type)
    expect(Object.keys(fields).filter((field) => !shown.includes(field))).toEqual(notShown)
  })
})

describe('every record', () => {
  const records: readonly (RecordType & { readonly schema: z.ZodType })[] = Object.values(platformRecords)
  const id = '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'

  test.each(records)('$singular can be read if the workspace has none of its fields', (record) => {
    expect(readRecord(record, { id })).toMatchObject({ id })
  })

  test.each(records)('$singular is the same after a round through a cache', (record) => {
    const values = Object.fromEntries(Object.keys(record.fields).map((field) => [field, 'one']))
    const read = readRecord(record, { ...values, id })
    expect(record.schema.parse(JSON.parse(JSON.stringify(read)))).toEqual(read)
  })

  test.each(records)('$singular has a description of each field, and no standard name twice', ({ fields }) => {
    for (const { description } of Object.values(fields)) expect(description).toMatch(/^[A-Z].{5,}/)
    const names = Object.entries(fields).map(([ourName, field]) => standardName(ourName, field))
    expect(new Set(names).size).toBe(names.length)
  })
})
