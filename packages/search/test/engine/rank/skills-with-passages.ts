import type { SearchDocument } from "../../../src/engine/index/build-segment.ts";
import { doc } from "../corpora.ts";

/** Skills about different things, each with two passages. */
export const SKILLS: readonly SearchDocument[] = [
  doc("invoices", {
    description: "Create invoices for customers and send reminders when a payment is late.",
    body: "# Layout\nPut the address of the customer at the top and the bank account below.\n# Reminders\nA friendly letter after two weeks, a strict one after four.\n",
  }),
  doc("container-builds", {
    description: "Build small Docker images with several stages.",
    keywords: ["dockerfile", "zxqv"],
    body: "# Base\nChoose a slim base image and pin its digest for repeatable builds.\n# Secrets\nNever copy credentials or passwords into a layer; mount them while building.\n",
  }),
  doc("query-tuning", {
    description: "Find out why a SQL query is slow and add the index that it needs.",
    body: "# Plan\nRead the execution plan and look for sequential scans of large tables.\n# Locks\nA transaction that waits for another one shows up as blocked sessions.\n",
  }),
  doc("interview-notes", {
    description: "Summarise conversations with users into insights.",
    examples: ["what did people say about onboarding"],
    body: "# Quotes\nKeep the words of each person and the minute of the recording.\n# Themes\nGroup complaints and wishes that several participants share.\n",
  }),
  doc("unit-tests", {
    description: "Write unit tests with clear names and few fixtures.",
    body: "# Names\nA sentence that says what must hold and when it would not.\n# Data\nPrefer small literal values to random ones, and one assertion each.\n",
  }),
  doc("page-speed", {
    description: "Make web pages load faster in the browser.",
    body: "# Pictures\nCompress photos, choose modern formats, and load those below the fold lazily.\n# Scripts\nDefer everything that is not needed for the first paint.\n",
  }),
];
