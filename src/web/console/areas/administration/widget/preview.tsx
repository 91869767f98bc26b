import { MessagesSquare, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Section } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { createKey, isPreviewKey, type WidgetKey } from './keys.ts'
import { useWidgetTexts } from './texts.ts'
import '../rows.css'
import './widget.css'

type PreviewProps = { readonly keys: readonly WidgetKey[]; readonly isOn: boolean; readonly onCreated: () => void }

/** The real widget on a page of this service. A key is valid for origins only, so that page needs one for the console's own. */
export function Preview({ keys, isOn, onCreated }: PreviewProps) {
  const texts = useWidgetTexts()
  const [width, setWidth] = useState<'wide' | 'narrow'>('wide')
  const [loads, setLoads] = useState(0)
  const own = keys.find((key) => key.validUntil === null && isPreviewKey(key))
  const isShown = isOn && own !== undefined
  const widths = [
    { value: 'wide', label: texts.wide },
    { value: 'narrow', label: texts.narrow },
  ] as const
  return (
    <Section
      title={texts.preview}
      actions={
        isShown && (
          <>
            <Segments label={texts.width} value={width} onChange={setWidth} options={widths} />
            <Button icon={<RefreshCw />} onPress={() => setLoads(loads + 1)}>
              {texts.reload}
            </Button>
          </>
        )
      }
    >
      <p className="admin-minor">{texts.previewText}</p>
      {isShown ? (
        <div className="admin-preview" data-width={width}>
          <iframe key={loads} title={texts.frame} src={`/console/widget-preview?key=${encodeURIComponent(own.key)}`} />
        </div>
      ) : (
        <Card>
          <EmptyState icon={<MessagesSquare />} title={isOn ? texts.previewNeeds : texts.off}>
            {isOn ? <NeedsKey onCreated={onCreated} /> : texts.offPreview}
          </EmptyState>
        </Card>
      )}
    </Section>
  )
}

function NeedsKey({ onCreated }: Pick<PreviewProps, 'onCreated'>) {
  const texts = useWidgetTexts()
  const { run, isPending } = useAction(createKey)
  const create = async (): Promise<void> => {
    if (await run({ input: { origins: [location.origin] } })) onCreated()
  }
  return (
    <>
      <p>{texts.previewNeedsText}</p>
      <Button isPending={isPending} onPress={() => void create()}>
        {texts.showPreview}
      </Button>
    </>
  )
}
