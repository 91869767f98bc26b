import { mutation, query } from '../row.ts'

const failures = ['NOT_CONFIGURED', 'STORE_UNAVAILABLE'] as const

export const widgetRows = [
  query('widgetKeys', {
    method: 'GET',
    path: '/api/config/widget/keys',
    summary: "The keys of the workspace's chat widget and the sites on which they are valid, newest first",
    refusals: failures,
  }),
  mutation('createWidgetKey', {
    method: 'POST',
    path: '/api/config/widget/keys',
    arguments: { input: 'body' },
    summary: 'Create a widget key for the pages of some origins',
    refusals: [...failures, 'WRONG_STATE'],
  }),
  mutation('rotateWidgetKey', {
    method: 'POST',
    path: '/api/config/widget/keys/{key}/rotate',
    arguments: { key: 'path.key' },
    summary: 'Create a new key for the same origins. The key before it stays valid for a day',
    refusals: [...failures, 'NOT_FOUND', 'WRONG_STATE'],
  }),
  mutation('deleteWidgetKey', {
    method: 'DELETE',
    path: '/api/config/widget/keys/{key}',
    arguments: { key: 'path.key' },
    summary: 'Delete a widget key at once',
    refusals: [...failures, 'NOT_FOUND'],
  }),
]
