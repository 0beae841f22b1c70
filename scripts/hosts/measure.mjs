// The four things that are measured with a host. Each makes a world, runs the host in it, and returns plain data.
import { spawnSync } from "node:child_process";
import { loadOneSkill, PROMPT, sayNothing } from "./conversation.mjs";
import { runHost } from "./run-host.mjs";
import { countSkills, howContained, seenPrefix, stateOfTool, visibleText, wordsOf } from "./visible.mjs";
import { addSkillEverywhere, addSkills, createWorld, TARGET } from "./world.mjs";

/** Fits every host of the matrix, and has room for every kind of character. */
const USUAL_SIZE = 3_000;
/** More than all but one host of the matrix show of an answer. */
const LONG_SIZE = 60_000;

/** `keep` leaves the world on the disk, for the person who has to find out what happened in it. */
async function inWorld({ keep }, work) {
  const world = createWorld();
  const leave = () => (keep ? process.stderr.write(`kept ${world.base}\n`) : world.remove());
  process.once("exit", leave);
  try {
    return await work(world);
  } finally {
    leave();
    process.off("exit", leave);
  }
}

/** Why there is nothing to see, for the person who has to find out. */
function failure({ how, output, client }) {
  const connected = client === undefined ? "the server was not asked" : "the model was not asked";
  return { error: `${connected}; the host ${how}`, output: output.slice(-2_000) };
}

/** What the model sees of `count` skills at turn 1, and whether the text of one reaches it unchanged. */
export const measureSkills = (host, options, count) =>
  inWorld(options, async (world) => {
    const { skills, targetText } = addSkills(world, count, USUAL_SIZE);
    const conversation = loadOneSkill(host.tool, TARGET);
    const run = await runHost(host, { world, bin: options.bin, conversation });
    const first = conversation.first();
    if (first === undefined || run.client === undefined) return failure(run);
    const text = visibleText(first);
    const description = run.tools.find(({ name }) => name === "skill")?.description ?? "";
    return {
      client: `${run.client.name} ${run.client.version}`,
      protocol: run.protocol,
      ...countSkills(text, skills),
      tool: stateOfTool(first, host.tool),
      description: { sent: description.length, seen: seenPrefix(text, description) },
      instructions: { sent: run.instructions.length, seen: seenPrefix(text, run.instructions) },
      searched: conversation.searched(),
      loaded: howContained(conversation.loaded(), targetText),
    };
  });

/** With a skill in every folder of every agent: which ones the host finds itself, and which ones it also gets from us. */
export async function measureFolders(host, options) {
  const own = await inWorld(options, async (world) => {
    const skills = addSkillEverywhere(world);
    const conversation = sayNothing();
    const run = await runHost(host, {
      world,
      bin: options.bin,
      serverArgs: ["--no-default-dirs", "--no-plugins"],
      conversation,
    });
    if (conversation.first() === undefined) return failure(run);
    return { skills: skills.filter((skill) => isListed(conversation.first(), skill)) };
  });
  if (own.error !== undefined) return own;
  return inWorld(options, async (world) => {
    const all = addSkillEverywhere(world);
    const conversation = sayNothing();
    const run = await runHost(host, { world, bin: options.bin, conversation });
    if (conversation.first() === undefined || run.tools.length === 0) return failure(run);
    const ours = wordsOf(`${run.instructions}\n${JSON.stringify(run.tools)}`);
    const commands = new Set(run.prompts);
    const found = foundBy(options.bin, world);
    const isOwn = (name) => own.skills.some((skill) => skill.name === name);
    return {
      reads: own.skills.map(({ folder }) => folder),
      twice: own.skills.filter(({ name }) => ours.has(name)).map(({ folder }) => folder),
      commandsTwice: own.skills.filter(({ name }) => commands.has(name)).map(({ folder }) => folder),
      missing: all
        .filter(({ name }) => found.has(name) && !isOwn(name) && !ours.has(name))
        .map(({ folder }) => folder),
    };
  });
}

/** A name alone counts only in a tool: some hosts also list the files of the project. */
function isListed(shown, { name, description }) {
  const inTools = visibleText({ ...shown, system: "", messages: "" });
  return visibleText(shown).includes(description) || wordsOf(inTools).has(name);
}

/** The skills that the server finds, whoever asks. */
function foundBy(bin, { home, project }) {
  const env = { PATH: process.env.PATH, HOME: home };
  const { stdout } = spawnSync(process.execPath, [bin, "list", "--json"], {
    cwd: project,
    env,
    encoding: "utf8",
  });
  return new Set(JSON.parse(stdout).skills.map(({ name }) => name));
}

/** A long skill: whether the model gets what the server sent, and how much that was. */
export const measureLong = (host, options) =>
  inWorld(options, async (world) => {
    const { targetText } = addSkills(world, 1, LONG_SIZE);
    const conversation = loadOneSkill(host.tool, TARGET);
    const run = await runHost(host, { world, bin: options.bin, conversation });
    const [sent] = run.answers;
    if (sent === undefined) return failure(run);
    const loaded = conversation.loaded();
    return {
      file: targetText.length,
      sent: sent.length,
      seen: loaded?.length ?? 0,
      reached: howContained(loaded, sent),
      isWhole: sent.includes(targetText),
      saysHowToReadOn: /offset|read_skill_file/.test(sent.slice(-500)),
    };
  });

/** A skill that the user asks for as a slash command. */
export const measureSlash = (host, options) =>
  inWorld(options, async (world) => {
    const { targetText } = addSkills(world, 8, USUAL_SIZE);
    const conversation = sayNothing();
    const typed = `${host.slash(TARGET)} ${PROMPT}`;
    const run = await runHost(host, { world, bin: options.bin, conversation, prompt: typed });
    if (conversation.first() === undefined) return failure(run);
    return { typed: host.slash("NAME"), loaded: howContained(conversation.messages(), targetText) };
  });
