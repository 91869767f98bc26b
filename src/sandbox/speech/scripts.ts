/** One utterance of a scripted call. */
export type ScriptLine = { readonly speaker: 'AGENT' | 'CUSTOMER'; readonly text: string }

/** A hospital call with known words: the speech stand-in returns them for the recording of that name. */
export type CallScript = {
  readonly name: string
  readonly language: 'en' | 'hi'
  readonly topics: readonly string[]
  readonly utterances: readonly ScriptLine[]
}

/** Lines beginning with `A:` are the agent's, with `C:` the customer's. */
function script(name: string, about: Omit<CallScript, 'name' | 'utterances'>, lines: string): CallScript {
  const utterances = lines
    .trim()
    .split('\n')
    .map((line): ScriptLine => {
      const text = line.trim()
      return { speaker: text.startsWith('A:') ? 'AGENT' : 'CUSTOMER', text: text.slice(2).trim() }
    })
  return { name, ...about, utterances }
}

export const scripts: readonly CallScript[] = [
  script(
    'call-001',
    { language: 'en', topics: ['Cardiology appointment', 'Chest pain'] },
    `A: Thank you for calling the hospital, this is Asha. How may I help you?
     C: Hello, my name is Priya Nair. My father has had mild chest pain for two days and I want an appointment with a heart doctor.
     A: I am sorry to recognise that. Is he in pain right now, or short of breath?
     C: No, he is resting. Our family doctor said it is not an emergency, but we should see a specialist this week.
     A: I understand. Doctor Rao in cardiology has a slot on Thursday at ten thirty in the morning. Would that suit you?
     C: Thursday is good. Do we need to bring anything?
     A: Please bring his earlier reports and the list of his medicines. If the pain gets worse before then, come to emergency at once.
     C: Thank you so much, that is very helpful.
     A: You are welcome. The visit with Doctor Rao is booked for Thursday at ten thirty. Is there anything else?
     C: No, that is all. Thank you.`,
  ),
  script(
    'call-002',
    { language: 'en', topics: ['Billing', 'Insurance claim'] },
    `A: Thank you for calling the billing desk, this is Ravi. How can I help?
     C: I was discharged last week and my bill has a charge for a room upgrade that I never asked for. This is wrong.
     A: I am sorry about that. May I have your name and the bill number please?
     C: Suresh Pillai, and the bill number is four four one nine.
     A: Thank you. I see the upgrade on the twelfth. It was entered without a signed consent.
     C: Exactly. And because of it my insurance refused half of the claim. I am very unhappy with this.
     A: You are right to be. I will open a complaint and have the charge reviewed by tomorrow evening.
     C: I have waited three days already. I want somebody to call me back.
     A: The billing manager will call you back tomorrow before five. Your reference is seven seven two.
     C: All right, but please do call this time.`,
  ),
  script(
    'call-003',
    { language: 'en', topics: ['Paediatrics', 'Vaccination'] },
    `A: Good morning, children's clinic, Farah speaking. How may I help you?
     C: Hi, I would like to book a vaccination for my daughter. She is nine months old.
     A: Of course. That would be the measles vaccine. Which day suits you?
     C: Saturday morning, if possible.
     A: Doctor Shah has nine fifteen on Saturday. Please bring the vaccination card.
     C: Wonderful, nine fifteen is perfect.
     A: Booked. May I confirm your number ends in three two one zero?
     C: Yes, that is right. Thank you.
     A: Thank you for calling. See you on Saturday.`,
  ),
  script(
    'call-004',
    { language: 'en', topics: ['Rescheduling', 'Orthopaedics'] },
    `A: Thank you for calling, this is Asha. How may I help?
     C: I have a visit with Doctor Menon for my knee tomorrow, but I have to travel. Can I move it?
     A: Certainly. He is here on Monday and on Wednesday next week.
     C: Wednesday after four, please.
     A: I have moved it to Wednesday at four thirty. You will get a message with the details.
     C: Great, thanks for the quick help.`,
  ),
  script(
    'call-005',
    { language: 'en', topics: ['Laboratory report', 'Email'] },
    `A: Hospital help desk, Ravi speaking. How may I help you?
     C: I gave blood on Monday and the report is still not in my email.
     A: Let me look. May I have your registered name?
     C: Anita Desai.
     A: The report is ready since yesterday, but the email address has a spelling mistake. Could you spell it for me?
     C: It is a n i t a dot d at example dot com.
     A: I have corrected it and sent the report again. Please check your inbox in five minutes.
     C: Okay, I will check. Thank you.`,
  ),
  script(
    'call-006',
    { language: 'en', topics: ['Call back', 'Surgery cost'] },
    `A: Thank you for calling, this is Farah. How may I help you?
     C: I want to know what a gall bladder surgery costs with you.
     A: It depends on the room and the surgeon. The package begins at eighty thousand rupees. Shall I send you the details?
     C: Yes, send them, but I am driving now. Can you call me later?
     A: Of course. When should we call you back?
     C: Tomorrow at eleven.
     A: Noted, tomorrow at eleven. Drive safely.`,
  ),
  script(
    'call-007',
    { language: 'en', topics: ['Complaint', 'Waiting time'] },
    `A: Good afternoon, Asha speaking. How may I help?
     C: I am calling to complain. We had an appointment at two and nobody saw my mother until half past four.
     A: I am very sorry for the long wait. Which department was it?
     C: Neurology. Nobody told us anything. She is seventy six and she was in terrible discomfort.
     A: That should not have happened. I will report it to the head of the department today.
     C: You always say sorry. I want to speak to a manager.
     A: I understand. I am passing this to my manager, who will call you within the hour.
     C: Fine. I hope so.`,
  ),
  script(
    'call-008',
    { language: 'en', topics: ['Second opinion', 'Oncology'] },
    `A: Thank you for calling the hospital, Ravi speaking. How may I help you today?
     C: My wife was diagnosed with a small tumour elsewhere and we would like a second opinion.
     A: I am sorry to recognise it, and I am glad that you called. Doctor Iyer sees second opinions on Tuesday and Friday.
     C: Can she look at the scans before we come? We live four hours away.
     A: Yes. Please upload the scans by the link that I send you, and she will call you by video on Friday at noon.
     C: That would be a great relief. Thank you for being so kind.
     A: Not at all. I have sent the link to this number. Friday at noon, then.`,
  ),
  script(
    'call-009',
    { language: 'hi', topics: [] },
    `A: नमस्ते, अस्पताल में आपका स्वागत है, मैं फ़राह बोल रही हूँ। मैं आपकी क्या मदद कर सकती हूँ?
     C: नमस्ते, मुझे त्वचा के डॉक्टर से मिलना है। मेरे हाथ पर एक हफ़्ते से खुजली है।
     A: ज़रूर। डॉक्टर वर्मा शुक्रवार को शाम पाँच बजे उपलब्ध हैं। क्या यह समय ठीक रहेगा?
     C: हाँ, शुक्रवार ठीक है। फ़ीस कितनी है?
     A: परामर्श की फ़ीस आठ सौ रुपये है। मैंने आपका समय लिख लिया है।
     C: बहुत धन्यवाद।`,
  ),
  script(
    'call-010',
    { language: 'en', topics: ['Wrong number'] },
    `A: Thank you for calling the hospital, this is Asha.
     C: Oh, sorry, I wanted the bank. I have the wrong number.
     A: No problem. Have a good day.
     C: You too, bye.`,
  ),
  script(
    'call-011',
    { language: 'en', topics: ['Follow-up visit', 'Diabetes'] },
    `A: Hello, this is Ravi from the hospital. Am I speaking to Mister George?
     C: Yes, this is George.
     A: Doctor Kapoor asked me to book your follow up for diabetes. Your last visit was three months ago.
     C: Right, I forgot. My sugar has been fine, but I should come.
     A: He is free next Monday at nine, before breakfast, so that we can do the blood test as well.
     C: Monday at nine is good for me.
     A: It is booked. Please come fasting and bring your sugar diary.
     C: I will. Thanks for reminding me.`,
  ),
  script(
    'call-012',
    { language: 'en', topics: ['Payment', 'Card number'] },
    `A: Thank you for calling, Farah speaking. How may I help you?
     C: I want to pay the advance for my surgery by phone. My card number is four one one one, one one one one, one one one one, one one one one.
     A: Thank you, but please do not read out your card. For your safety we take payments only by the secure link.
     C: Oh, all right. Then send me the link, my mail is kiran at example dot com.
     A: I am sending it now. The advance is twenty thousand rupees and the link is good for one day.
     C: Got it. I will pay tonight.
     A: Thank you. Your bed is kept from the fifteenth.`,
  ),
]

export function scriptNamed(name: string): CallScript | undefined {
  return scripts.find((known) => known.name === name)
}
