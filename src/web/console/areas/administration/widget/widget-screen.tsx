import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useQuery } from 'urql'
import { useAction } from '../../../data/use-action.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Card, Page, Section } from '../../../ui/page.tsx'
import { EmptyState, Skeleton } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import { showToast } from '../../../ui/toast.ts'
import { useKeyColumns } from './columns.tsx'
import { keysDocument, switchOn } from './keys.ts'
import { NewKey } from './new-key.tsx'
import { Preview } from './preview.tsx'
import { useWidgetTexts } from './texts.ts'
import './widget.css'

/** Which sites show the chat widget, and how it looks there. */
export function WidgetScreen() {
  const texts = useWidgetTexts()
  const [isAdding, setAdding] = useState(false)
  const [{ data, error }, read] = useQuery({ query: keysDocument })
  const columns = useKeyColumns()
  const readAgain = (): void => read({ requestPolicy: 'network-only' })
  const isOn = data?.configuration['enabled'] === true
  return (
    <Page
      isWide
      title={texts.title}
      lead={texts.lead}
      actions={
        !isAdding && (
          <Button look="primary" icon={<Plus />} onPress={() => setAdding(true)}>
            {texts.create}
          </Button>
        )
      }
    >
      {data && !isOn && <SwitchedOff onChanged={readAgain} />}
      {isAdding && <NewKey onCreated={readAgain} onClose={() => setAdding(false)} />}
      {data ? (
        <>
          <Section title={texts.keys}>
            <Card isFlush>
              <Table
                label={texts.keys}
                columns={columns}
                rows={data.widgetKeys}
                rowKey={({ key }) => key}
                empty={
                  <EmptyState icon={<KeyRound />} title={texts.none}>
                    {texts.noneText}
                  </EmptyState>
                }
              />
            </Card>
          </Section>
          <Preview keys={data.widgetKeys} isOn={isOn} onCreated={readAgain} />
        </>
      ) : (
        <Card>{error ? <ErrorState error={error} onRetry={readAgain} /> : <Skeleton rows={6} />}</Card>
      )}
    </Page>
  )
}

function SwitchedOff({ onChanged }: { readonly onChanged: () => void }) {
  const texts = useWidgetTexts()
  const { run, isPending } = useAction(switchOn)
  const change = async (): Promise<void> => {
    if (!(await run({ document: { enabled: true } }))) return
    showToast({ tone: 'good', title: texts.isOn })
    onChanged()
  }
  return (
    <Notice
      tone="warn"
      title={texts.off}
      actions={
        <Button isPending={isPending} onPress={() => void change()}>
          {texts.switchOn}
        </Button>
      }
    >
      <p>{texts.offText}</p>
    </Notice>
  )
}
