import { Check } from 'lucide-react'
import { useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { acknowledgeAlert, type Alert } from './alerts.ts'
import { useAlertTexts } from './texts.ts'

/** Says that a manager has seen the alert; then who that was. */
export function AcknowledgeButton({ alert: { id, acknowledgedAt, acknowledgedBy, clearedAt } }: { readonly alert: Alert }) {
  const texts = useAlertTexts()
  const { run, isPending } = useAction(acknowledgeAlert)
  if (acknowledgedAt !== null) return <span className="alerts-seen">{texts.seenBy(acknowledgedBy ?? texts.somebody)}</span>
  if (clearedAt !== null) return null
  return (
    <Button size="s" icon={<Check />} isPending={isPending} onPress={() => void run({ id })}>
      {texts.acknowledge}
    </Button>
  )
}
