import { DismissSetupDocument, ProvisionDocument, ResetSetupDocument, SetupStateDocument, SetupStepDocument } from '../generated.ts'
import { row } from '../row.ts'

export const setupRows = [
  row(SetupStateDocument, { method: 'GET', path: '/api/config/setup-state', summary: 'How far the setup wizard is' }),
  row(SetupStepDocument, {
    method: 'PUT',
    path: '/api/config/setup-state/steps/{step}',
    arguments: { step: 'path.step', complete: 'body.complete' },
    summary: 'Mark a step of the setup wizard complete, or open again',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  row(DismissSetupDocument, {
    method: 'POST',
    path: '/api/config/setup-state/dismiss',
    summary: 'Do not show the setup wizard any more',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  row(ResetSetupDocument, {
    method: 'POST',
    path: '/api/config/setup-state/reset',
    summary: 'Start the setup wizard anew',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  row(ProvisionDocument, {
    method: 'POST',
    path: '/api/setup/provision',
    arguments: { apply: 'body.apply' },
    summary: 'Make what the platform lacks of the objects, fields and roles that the service uses; with `apply` false only show what',
    refusals: ['PLATFORM_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
]
