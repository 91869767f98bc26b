import { mutation, query } from '../row.ts'

export const setupRows = [
  query('setupState', { method: 'GET', path: '/api/config/setup-state', summary: 'How far the setup wizard is' }),
  mutation('setupStep', {
    method: 'PUT',
    path: '/api/config/setup-state/steps/{step}',
    arguments: { step: 'path.step', complete: 'body.complete' },
    summary: 'Mark a step of the setup wizard complete, or open again',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('setupState', {
    method: 'POST',
    path: '/api/config/setup-state/dismiss',
    name: 'dismissSetup',
    constants: { change: { dismiss: true } },
    summary: 'Do not show the setup wizard any more',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('setupState', {
    method: 'POST',
    path: '/api/config/setup-state/reset',
    name: 'resetSetup',
    constants: { change: { reset: true } },
    summary: 'Start the setup wizard anew',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('provision', {
    method: 'POST',
    path: '/api/setup/provision',
    arguments: { apply: 'body.apply' },
    summary: 'Make what the platform lacks of the objects, fields and roles that the service uses; with `apply` false only show what',
    refusals: ['PLATFORM_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
]
