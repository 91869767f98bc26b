import { useState } from 'react'
import { useQuery } from 'urql'
import { useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { tagOf } from '../widget/keys.ts'
import { newWidgetKey, widgetKeysQuery } from './documents.ts'
import { SectionStep, type StepContentProps } from './section-step.tsx'
import { useSetupTexts } from './texts.ts'

const exampleOrigin = 'https://www.example.com'

/** The chat is switched on, and has a key for the hospital's page. */
export function WidgetStep({ isReady, ...rest }: StepContentProps) {
  return (
    <SectionStep section="WIDGET" paths={['enabled', 'greeting', 'position']} isReady={isReady} {...rest}>
      {() => <PageKey />}
    </SectionStep>
  )
}

function PageKey() {
  const texts = useSetupTexts()
  const [{ data }, reload] = useQuery({ query: widgetKeysQuery })
  const [origin, setOrigin] = useState('')
  const { run, isPending } = useAction(newWidgetKey)
  const [newest] = data?.widgetKeys ?? []
  const make = async (): Promise<void> => {
    // The cache does not know that an empty list was one of keys.
    if (await run({ origins: [origin.trim()] })) reload({ requestPolicy: 'network-only' })
  }
  return (
    <section className="setup-part" aria-label={texts.widgetTitle}>
      <h3>{texts.widgetTitle}</h3>
      <div className="setup-line">
        <Field
          label={texts.origin}
          hint={texts.widgetText}
          value={origin}
          onChange={setOrigin}
          placeholder={exampleOrigin}
          spellCheck="false"
        />
        <Button isPending={isPending} isDisabled={origin.trim() === ''} onPress={() => void make()}>
          {texts.makeKey}
        </Button>
      </div>
      {newest && <CopyField label={`${texts.snippet} ${newest.origins.join(', ')}`} value={tagOf(newest.key)} isLong />}
    </section>
  )
}
