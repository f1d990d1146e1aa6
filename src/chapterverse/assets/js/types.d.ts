/** Types of the pages' scripts. Those of answers are by operation id of our OpenAPI document: `make check` generates "openapi". */
import type { operations } from "openapi";

type Responses<O extends keyof operations> = operations[O]["responses"];
type Json<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;
type Answer<O extends keyof operations, Status = 200 | 201> = Json<Responses<O>[Extract<keyof Responses<O>, Status>]>;

// Sources and their passages
export type Source = Answer<"sources">["sources"][number];
export type LibrarySource = Answer<"library">["sources"][number];
export type SourceDetails = Answer<"source">;
export type QualityReport = NonNullable<SourceDetails["report"]>;
export type Passage = Answer<"evidence">;
export type Sentence = Passage["sentence"];
/** A sentence between its neighbours, with a citation to print. */
export type Cited = Pick<Passage, "citation" | "sentence" | "previous" | "next">;

// Feedback on essays
export type EssayEvidence = Answer<"essay_evidence">;
export type Evidence = EssayEvidence["evidence"][number];
/** Stored feedback, which has an id. */
export type Feedback = Answer<"feedback"> & { id: string };
/** What a teacher changed in the comments. */
export type Edits = NonNullable<Feedback["edits"]>;
export type WaitingFeedback = Answer<"feedback", 202>;
export type Revision = NonNullable<Feedback["revision"]>;
export type Criterion = Feedback["criteria"][number];
export type Comment = Feedback["comments"][number];
/** A comment as a page shows it. shown: the number beside its words. */
export type ShownComment = Comment & { shown: number; isStart?: boolean; isLater?: boolean };
export type Candidate = Answer<"candidates">["candidates"][number];
export type OwnEssay = Answer<"own_essays">["essays"][number];
export type FeedbackSummary = Answer<"feedback_list">["feedback"][number];

// Classes and assignments
export type Roster = Answer<"students">;
export type RosterEntry = Roster["students"][number];

export type Assignment = Answer<"assignment">;
export type Submission = Answer<"hand_in_essay">;
export type Released = Answer<"release_essays">;
export type SchoolClass = Answer<"one_class">;
export type ClassStudent = SchoolClass["students"][number];

// Questions
export type DocumentAnswer = Answer<"ask">;
export type ChatAnswer = Answer<"textbook_chat">;
export type Claim = DocumentAnswer["claims"][number];
export type AnswerCitation = Claim["citations"][number];
export type RelatedSection = ChatAnswer["related"][number];
/** An earlier question of the same conversation, sent with the next one. */
export type EarlierQuestion = { question: string; answer: string; cited: string | null };
export type Metrics = Answer<"answer_metrics">;

// Help desk
export type Conversation = Answer<"conversation">;
export type ConversationSummary = Answer<"conversations">["conversations"][number];
export type Turn = Conversation["turns"][number];
export type MessageReply = Answer<"say">;
export type HelpdeskAnswer = NonNullable<MessageReply["answer"]>;
export type HelpdeskSource = HelpdeskAnswer["sources"][number];
export type FaqEntry = Answer<"entries">["entries"][number];

// Lectures
export type LectureSession = Answer<"show_session">;
export type Segment = Answer<"transcript_segments">["segments"][number];
export type LectureWindow = Answer<"session_windows">["windows"][number];
export type LectureCitation = LectureWindow["citations"][number];

// Schools
export type Person = Answer<"people">["people"][number];
export type Invitation = Answer<"invite_person">;
export type SchoolSettings = Answer<"settings">;
export type Setting = SchoolSettings[keyof SchoolSettings];

// Elements
export type Child = Node | string | null | undefined | false | readonly Child[];
type Handlers<T> = { [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E] & { currentTarget: T }) => unknown };
export type Attributes<T> = { dataset?: Record<string, string | number | boolean>; on?: Handlers<T> } & { [name: string]: unknown };
export type TagName = keyof HTMLElementTagNameMap;

declare global {
  /** The Web Speech API, which TypeScript's DOM types lack. */
  interface SpeechRecognition extends EventTarget {
    continuous: boolean;
    interimResults: boolean;
    lang: string;
    onresult: ((event: { resultIndex: number; results: SpeechRecognitionResultList }) => void) | null;
    onerror: ((event: { error: string }) => void) | null;
    onend: (() => void) | null;
    start(): void;
    stop(): void;
  }
  var SpeechRecognition: { new (): SpeechRecognition } | undefined;
  var webkitSpeechRecognition: { new (): SpeechRecognition } | undefined;
}
