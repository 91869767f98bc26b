import { useState } from 'react'
import { useLead } from '../../../session/leads.ts'
import { useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Person, spacedNumber } from '../../../ui/phone-number.tsx'
import { Select } from '../../../ui/select.tsx'
import { showToast } from '../../../ui/toast.ts'
import { shownState } from '../agent-rows.ts'
import { stateOrder } from '../state-tones.ts'
import { useActionTexts } from './action-texts.ts'
import { assignPerson } from './actions.ts'
import type { AgentRow, MissedCall } from './overview.ts'
import { MessageField } from './message-field.tsx'
import { useWallboardTexts } from './texts.ts'
import type { WorklistPerson } from './worklist.ts'

type AssignDialogProps = {
  readonly entryId: string
  readonly call: MissedCall
  /** Null while it is not known who has the person. */
  readonly person: WorklistPerson | undefined
  readonly agents: readonly AgentRow[]
  readonly onClose: () => void
}

const nobody = 'NOBODY'

/** Asks who should call a missed caller back, and for a message to the agents who get or lose the person. */
export function AssignDialog({ entryId, call: { phoneNumber, dialledNumber, leadId }, person, agents, onClose }: AssignDialogProps) {
  const texts = useActionTexts()
  const { run, isPending } = useAction(assignPerson)
  const options = useAgentOptions(agents)
  const [choice, setChoice] = useState<string | null>(null)
  const [message, setMessage] = useState('')
  const claim = person?.claim ?? null
  const number = phoneNumber ?? dialledNumber ?? ''
  const caller = useLead(leadId)?.name ?? null
  const shown = caller ?? spacedNumber(number)
  const assign = async (): Promise<void> => {
    const agentId = choice === nobody ? null : choice
    const endClaim = claim !== null && claim.agentId !== agentId
    if (!(await run({ id: entryId, agentId, endClaim, message: message.trim() || null }))) return
    showToast({ tone: 'good', title: agentId === null ? texts.freed(shown) : texts.assigned(shown, name ?? '') })
    onClose()
  }
  const name = options.find(({ value }) => value === choice && value !== nobody)?.name
  const actions = (
    <>
      <Button look="quiet" onPress={onClose}>
        {texts.back}
      </Button>
      <Button look="primary" isPending={isPending} isDisabled={choice === null} onPress={() => void assign()}>
        {texts.assign}
      </Button>
    </>
  )
  return (
    <Dialog title={texts.assignTitle} isOpen onClose={onClose} actions={actions}>
      <Person name={caller} number={number} leadId={leadId} />
      <Holder person={person} />
      <Select label={texts.assignee} options={options} value={choice} onChange={setChoice} />
      <MessageField label={texts.message(name ?? texts.assignee)} value={message} onChange={setMessage} />
    </Dialog>
  )
}

/** Who can call at once comes first. */
function useAgentOptions(agents: readonly AgentRow[]) {
  const texts = useActionTexts()
  const states = useWallboardTexts()
  const sorted = agents.toSorted((one, other) => stateOrder.indexOf(shownState(one)) - stateOrder.indexOf(shownState(other)))
  return [
    ...sorted.map((agent) => ({
      value: agent.id,
      name: agent.agentName,
      label: texts.withState(agent.agentName, agent.reason ?? states[shownState(agent)]),
    })),
    { value: nobody, name: '', label: texts.everybody },
  ]
}

function Holder({ person }: Pick<AssignDialogProps, 'person'>) {
  const texts = useActionTexts()
  if (person?.claim) return <Notice tone="warn" title={texts.nowClaimed(person.claim.agentName)} />
  const name = person?.assignee?.name ?? null
  return name === null ? null : <p>{texts.nowAssigned(name)}</p>
}
