import { mutation, query } from '../row.ts'

const failures = ['NOT_CONFIGURED', 'STORE_UNAVAILABLE'] as const

export const widgetRows = [
  query('widgetKeys', {
    method: 'GET',
    path: '/api/config/widget/keys',
    summary: "The keys of the workspace's chat widget and the sites on which they count, newest first",
    refusals: failures,
  }),
  mutation('createWidgetKey', {
    method: 'POST',
    path: '/api/config/widget/keys',
    arguments: { input: 'body' },
    summary: 'Make a key for the widget on pages of some origins',
    refusals: [...failures, 'WRONG_STATE'],
  }),
  mutation('rotateWidgetKey', {
    method: 'POST',
    path: '/api/config/widget/keys/{key}/rotate',
    arguments: { key: 'path.key' },
    summary: 'Make a new key for the origins of this one, which stays valid for a day',
    refusals: [...failures, 'NOT_FOUND', 'WRONG_STATE'],
  }),
  mutation('deleteWidgetKey', {
    method: 'DELETE',
    path: '/api/config/widget/keys/{key}',
    arguments: { key: 'path.key' },
    summary: 'Take a key of the widget back at once',
    refusals: [...failures, 'NOT_FOUND'],
  }),
]
