import { useCallback, useMemo } from 'react'
import { graphql, type ResultOf } from '../../../data/graphql.ts'
import { useAction } from '../../../data/use-action.ts'
import { type Call, callFields } from '../../../phone/calls.ts'

const controlDocument = graphql(
  `
    mutation ControlCall($input: ControlCallInput!) {
      controlCall(input: $input) {
        ...CallFields
      }
    }
  `,
  [callFields],
)
const startTransferDocument = graphql(
  `
    mutation StartTransfer($input: StartTransferInput!) {
      startTransfer(input: $input) {
        ...CallFields
      }
    }
  `,
  [callFields],
)
const completeTransferDocument = graphql(
  `
    mutation CompleteTransfer($ucid: ID!) {
      completeTransfer(ucid: $ucid) {
        ...CallFields
      }
    }
  `,
  [callFields],
)
const cancelTransferDocument = graphql(
  `
    mutation CancelTransfer($ucid: ID!) {
      cancelTransfer(ucid: $ucid) {
        ...CallFields
      }
    }
  `,
  [callFields],
)

export type ControlAction = ResultOf<typeof callFields>['actions'][number]

/** The provider's controls of a call. The call itself follows the subscription. Each returns whether it worked. */
export function useCallControls({ ucid }: Pick<Call, 'ucid'>) {
  const [controlling, starting] = [useAction(controlDocument), useAction(startTransferDocument)]
  const [completing, cancelling] = [useAction(completeTransferDocument), useAction(cancelTransferDocument)]
  const { run: control } = controlling
  const { run: start } = starting
  const act = useCallback(
    async (action: ControlAction, phoneNumber?: string) =>
      (await control({ input: { ucid, action, ...(phoneNumber !== undefined && { phoneNumber }) } })) !== null,
    [control, ucid],
  )
  const transfer = useCallback(
    async (phoneNumber: string) => (await start({ input: { ucid, phoneNumber, idempotencyKey: crypto.randomUUID() } })) !== null,
    [start, ucid],
  )
  const isPending = controlling.isPending || starting.isPending || completing.isPending || cancelling.isPending
  return useMemo(
    () => ({ act, transfer, complete: () => completing.run({ ucid }), cancel: () => cancelling.run({ ucid }), isPending }),
    [act, transfer, completing, cancelling, ucid, isPending],
  )
}
