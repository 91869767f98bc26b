import { mutation, query } from '../row.ts'

export const setupRows = [
  query('setupState', { method: 'GET', path: '/api/config/setup-state', summary: 'The progress of the setup wizard' }),
  mutation('setupStep', {
    method: 'PUT',
    path: '/api/config/setup-state/steps/{step}',
    arguments: { step: 'path.step', complete: 'body.complete' },
    summary: 'Mark a step of the setup wizard as complete or as open',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('setupState', {
    method: 'POST',
    path: '/api/config/setup-state/dismiss',
    name: 'dismissSetup',
    constants: { change: { dismiss: true } },
    summary: 'Dismiss the setup wizard',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('setupState', {
    method: 'POST',
    path: '/api/config/setup-state/reset',
    name: 'resetSetup',
    constants: { change: { reset: true } },
    summary: 'Start the setup wizard again',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('provision', {
    method: 'POST',
    path: '/api/setup/provision',
    arguments: { apply: 'body.apply' },
    summary: 'Create the objects, fields and roles that the platform lacks. If `apply` is false, only return the plan',
    refusals: ['PLATFORM_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
]
