import { z } from 'zod'
import { mutation, query } from '../row.ts'

const section = 'path.section'
const ifVersion = 'header.if-match'
const unreadable = ['NOT_CONFIGURED', 'STORE_UNAVAILABLE'] as const

export const configurationRows = [
  query('configuration', {
    method: 'GET',
    path: '/api/config/{section}',
    arguments: { section },
    summary: 'A section of the configuration with masked secrets. Every member can read `theme`, only managers the others',
    refusals: unreadable,
    headers: entityTag,
  }),
  mutation('saveConfiguration', {
    method: 'PUT',
    path: '/api/config/{section}',
    arguments: { section, document: 'body', ifVersion },
    summary: 'Change a section. Fields that are left out and masked secrets stay unchanged',
    refusals: [...unreadable, 'CHANGED_MEANWHILE'],
    headers: entityTag,
  }),
  mutation('resetConfiguration', {
    method: 'POST',
    path: '/api/config/{section}/reset',
    arguments: { section, ifVersion },
    summary: 'Restore the defaults of a section and the values of the environment',
    refusals: [...unreadable, 'CHANGED_MEANWHILE'],
    headers: entityTag,
  }),
  query('configurationHistory', {
    method: 'GET',
    path: '/api/config/{section}/history',
    arguments: { section },
    summary: 'The last 50 versions of a section, newest first',
    refusals: unreadable,
  }),
  query('configurationVersion', {
    method: 'GET',
    path: '/api/config/{section}/history/{version}',
    arguments: { section, version: 'path.version' },
    summary: 'A section as an earlier version had it, with masked secrets',
    refusals: [...unreadable, 'NOT_FOUND'],
  }),
  mutation('restoreConfiguration', {
    method: 'POST',
    path: '/api/config/{section}/history/{version}/restore',
    arguments: { section, version: 'path.version', ifVersion },
    summary: 'Restore an earlier version of a section',
    refusals: [...unreadable, 'NOT_FOUND', 'CHANGED_MEANWHILE'],
    headers: entityTag,
  }),
  query('configurationSchema', {
    method: 'GET',
    path: '/api/config/{section}/schema',
    arguments: { section },
    summary: 'The JSON Schema of a section, to build a form from',
  }),
  mutation('testConfiguration', {
    method: 'POST',
    path: '/api/config/{section}/test',
    arguments: { section, document: 'body' },
    summary: 'Test a section as it is stored, or with the changes in the body',
    refusals: unreadable,
  }),
]

const documentAnswer = z.object({ _meta: z.object({ version: z.int() }) })

/** The version of a section is its entity tag. */
function entityTag(answer: unknown): { etag: string } {
  const { _meta: meta } = documentAnswer.parse(answer)
  return { etag: `"${meta.version}"` }
}
