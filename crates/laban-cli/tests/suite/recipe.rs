//! The recipes for continuous integration, `docs/ci.md`, and the repository that they are about, `examples/ci`; and
//! those for clusters, `docs/cluster.md`.

#![cfg(unix)]
use crate::common::{laban, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A copy of the repository, as the teams have it or after the shop has changed.
fn repository(name: &str, has_drifted: bool) -> PathBuf {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recipe").join(name);
    let _ = fs::remove_dir_all(&here);
    fs::create_dir_all(here.join("services")).expect("a folder to work in");
    let there = root().join("examples/ci");
    for file in
        ["protocol.chor", "check-protocol", "services/customer.net", "services/shipper.net", "services/shop.net"]
    {
        fs::copy(there.join(file), here.join(file)).expect("the example is there");
    }
    if has_drifted {
        fs::copy(there.join("drifted/shop.net"), here.join("services/shop.net")).expect("the example is there");
    }
    here
}

/// Runs a script as a runner would, with `laban` installed.
fn shell(script: &str, at: &Path) -> Output {
    let laban = Path::new(env!("CARGO_BIN_EXE_laban")).parent().expect("a folder");
    let path = format!("{}:{}", laban.display(), std::env::var("PATH").unwrap_or_default());
    Command::new("bash")
        .args(["-e", "-c", script])
        .env("PATH", path)
        .env("GITHUB_STEP_SUMMARY", at.join("summary.md"))
        .current_dir(at)
        .output()
        .expect("a shell is there")
}

/// The scripts of the steps of a workflow, each with its name.
fn steps(workflow: &str) -> Vec<(String, String)> {
    let mut steps = Vec::new();
    for step in workflow.split("      - ").skip(1) {
        let name = step.lines().find_map(|line| line.strip_prefix("name: ")).unwrap_or_default().to_string();
        let Some((_, run)) = step.split_once("run: ") else { continue };
        let script = match run.strip_prefix("|\n") {
            Some(block) => block.lines().map(|line| format!("{}\n", line.trim_start())).collect(),
            None => run.lines().next().unwrap_or_default().to_string(),
        };
        steps.push((name, script));
    }
    steps
}

fn example(name: &str) -> String {
    fs::read_to_string(root().join("examples/ci").join(name)).expect("the example is there")
}

#[test]
fn the_recipe_shows_the_files_of_the_example() {
    let recipe = fs::read_to_string(root().join("docs/ci.md")).expect("the recipe is there");
    for name in ["github-workflow.yml", "gitlab-ci.yml", "pre-commit-config.yaml", "check-protocol"] {
        assert!(recipe.contains(&format!("\n{}```\n", example(name))), "{name} is shown as it is");
    }
}

#[test]
fn the_workflow_passes_while_the_services_follow_the_protocol() {
    let at = repository("workflow-fine", false);
    let steps = steps(&example("github-workflow.yml"));
    assert_eq!(steps.len(), 4);
    for (name, script) in steps.iter().filter(|(name, _)| !name.starts_with("Install") && !name.starts_with("Draw")) {
        let output = shell(script, &at);
        assert!(output.status.success(), "{name}: {output:?}");
        assert!(output.stdout.is_empty(), "{name}: there is nothing to annotate");
    }
    let document = fs::read_to_string(at.join("laban.sarif")).expect("it was written");
    assert!(document.contains("\"results\": []"), "{document}");
}

#[test]
fn the_workflow_fails_when_they_drift_apart() {
    let at = repository("workflow-drifted", true);
    let steps = steps(&example("github-workflow.yml"));
    let run = |start: &str| {
        let (_, script) = steps.iter().find(|(name, _)| name.starts_with(start)).expect("there is such a step");
        shell(script, &at)
    };
    let output = run("The services");
    assert_eq!(output.status.code(), Some(1));
    let annotations = String::from_utf8_lossy(&output.stdout);
    assert!(annotations.starts_with("::error file=protocol.chor,line=13,"), "{annotations}");
    assert!(annotations.contains("\n::notice file=services/shop.net,line=13,"), "{annotations}");
    assert!(run("Draw").status.success());
    let summary = fs::read_to_string(at.join("summary.md")).expect("it was written");
    assert!(summary.contains("```mermaid\nsequenceDiagram\n") && summary.trim_end().ends_with("```"), "{summary}");
    assert!(summary.contains(": in the network\n"), "it shows what each of the two does: {summary}");
    assert!(run("Write").status.success());
    let document: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(at.join("laban.sarif")).expect("it was written")).expect("it is JSON");
    assert_eq!(document["runs"][0]["results"][0]["ruleId"], "mismatch");
}

#[test]
fn the_action_does_what_the_workflow_does() {
    for (name, has_drifted) in [("action-fine", false), ("action-drifted", true)] {
        let at = repository(name, has_drifted);
        let action = root().join("scripts/action");
        let input = "export LABAN_SARIF=laban.sarif LABAN_ARGUMENTS='verify services/*.net protocol.chor $(touch run)'";
        let output = shell(&format!("{input}\nbash {} run", action.display()), &at);
        assert_eq!(output.status.code(), Some(2), "there are no such files: {output:?}");
        assert!(!at.join("run").exists(), "nothing in the arguments is run");
        let output = shell(&format!("{}\nbash {} run", input.replace(" $(touch run)", ""), action.display()), &at);
        assert_eq!(output.status.code(), Some(i32::from(has_drifted)), "{output:?}");
        let annotations = String::from_utf8_lossy(&output.stdout);
        assert_eq!(annotations.starts_with("::error file=protocol.chor,line=13,"), has_drifted, "{annotations}");
        let summary = fs::read_to_string(at.join("summary.md")).unwrap_or_default();
        assert_eq!(summary.contains("```mermaid\nsequenceDiagram\n"), has_drifted, "{summary}");
        let document = fs::read_to_string(at.join("laban.sarif")).expect("it was written");
        assert_eq!(document.contains("\"ruleId\": \"mismatch\""), has_drifted, "{document}");
    }
}

#[test]
fn the_other_recipes_tell_the_two_apart() {
    let gitlab = example("gitlab-ci.yml");
    let job = gitlab.lines().find_map(|line| line.strip_prefix("    - ")).expect("there is a script");
    let hooks = example("pre-commit-config.yaml");
    let hook =
        hooks.lines().find_map(|line| line.trim_start().strip_prefix("entry: bash -c ")).expect("there is a hook");
    for (name, has_drifted) in [("others-fine", false), ("others-drifted", true)] {
        let at = repository(name, has_drifted);
        let expected = Some(i32::from(has_drifted));
        for script in [job, hook.trim_matches('\''), "./check-protocol", "cd services && ../check-protocol"] {
            let output = shell(script, &at);
            assert_eq!(output.status.code(), expected, "{script}: {output:?}");
        }
        let report = fs::read_to_string(at.join("laban.xml")).expect("it was written");
        let suites = junit_parser::from_reader(report.as_bytes()).expect("it is a report");
        assert_eq!((suites.tests, suites.failures), (1, u64::from(has_drifted)));
        let fmt = shell("laban fmt --check services/*.net protocol.chor", &at);
        assert!(fmt.status.success(), "the files are laid out");
    }
}

/// The repository of the tutorial about diagrams, `examples/diagram`, as the teams have it or after the server has
/// changed.
fn diagram(name: &str, has_drifted: bool) -> PathBuf {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recipe").join(name);
    let _ = fs::remove_dir_all(&here);
    let there = root().join("examples/diagram");
    for file in ["docs/protocol.md", "services/audit.net", "services/browser.net", "services/server.net"] {
        fs::create_dir_all(here.join(file).parent().expect("a folder")).expect("a folder to work in");
        fs::copy(there.join(file), here.join(file)).expect("the example is there");
    }
    if has_drifted {
        fs::copy(there.join("drifted/server.net"), here.join("services/server.net")).expect("the example is there");
    }
    here
}

#[test]
fn the_workflow_of_the_tutorial_compares_services_with_a_diagram() {
    let workflow = fs::read_to_string(root().join("examples/diagram/github-workflow.yml")).expect("it is there");
    let chapter = fs::read_to_string(root().join("docs/tutorial/diagrams.md")).expect("the chapter is there");
    assert!(chapter.contains(&format!("\n{workflow}```\n")), "the workflow is shown as it is");
    let steps = steps(&workflow);
    let run = |start: &str, at: &Path| {
        let (_, script) = steps.iter().find(|(name, _)| name.starts_with(start)).expect("there is such a step");
        shell(script, at)
    };
    let fine = diagram("diagram-fine", false);
    for start in ["The diagram", "The services"] {
        let output = run(start, &fine);
        assert!(output.status.success(), "{start}: {output:?}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("::error"), "{start}: {output:?}");
    }
    let drifted = diagram("diagram-drifted", true);
    assert!(run("The diagram", &drifted).status.success());
    let output = run("The services", &drifted);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let annotations = String::from_utf8_lossy(&output.stdout);
    assert!(annotations.contains("::error file=docs/protocol.md,line=21,"), "{annotations}");
    assert!(annotations.contains("\n::notice file=services/server.net,line=14,"), "{annotations}");
    fs::copy(root().join("examples/diagram/sketches/1-drawn.md"), drifted.join("docs/protocol.md"))
        .expect("it is there");
    assert_eq!(run("The diagram", &drifted).status.code(), Some(1), "the diagram forgets somebody");
}

/// The block of a page that has these words, without what is indented in all its lines.
fn block<'a>(page: &'a str, words: &str) -> impl Iterator<Item = &'a str> {
    let found = page.split("\n```").find(|block| block.contains(words) && !block.starts_with('\n'));
    found.expect("there is such a block").lines().skip(1)
}

/// Slurm and Kubernetes run a script many times and tell it its number: what the shards print is put together as the
/// page says.
#[test]
fn the_shards_of_a_cluster_are_put_together_to_one_run() {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recipe").join("cluster");
    let page = fs::read_to_string(root().join("docs/cluster.md")).expect("the page is there");
    let slurm: Vec<&str> = block(&page, "#SBATCH").collect();
    let kubernetes: Vec<&str> = block(&page, "JOB_COMPLETION_INDEX")
        .skip_while(|line| !line.contains("- |"))
        .skip(1)
        .take_while(|line| !line.contains("volumeMounts"))
        .map(str::trim_start)
        .collect();
    let paste: Vec<&str> = block(&page, "paste ").collect();
    let network = laban(&["generate", "--size", "9", "--processes", "4", "--ifs", "1", "--count", "61"]).out;
    for (name, script) in [("slurm", slurm.join("\n")), ("kubernetes", kubernetes.join("\n"))] {
        let at = here.join(name);
        let _ = fs::remove_dir_all(&at);
        fs::create_dir_all(&at).expect("a folder to work in");
        // The last one has no choreography, which is a result and no failure of a job.
        let table = format!("{network}stuck\tp {{ main {{ q?; stop }} }} | q {{ main {{ p?; stop }} }}\n");
        fs::write(at.join("networks.tsv"), table).expect("the folder can be written to");
        let script = script.replace("/data/", "");
        for number in 1..=8 {
            let variables = format!(
                "export SLURM_ARRAY_TASK_ID={number} SLURM_ARRAY_TASK_COUNT=8 SLURM_CPUS_PER_TASK=2 \
                 JOB_COMPLETION_INDEX={}\nset +e\n",
                number - 1
            );
            let output = shell(&format!("{variables}{script}"), &at);
            assert!(output.status.success(), "{name} {number}: {output:?}");
        }
        assert!(shell(&paste.join("\n"), &at).status.success(), "{paste:?}");
        let whole = shell("laban batch networks.tsv --no-times --quiet || test $? = 1", &at);
        assert!(whole.status.success(), "{whole:?}");
        let answers = fs::read(at.join("answers.jsonl")).expect("it was written");
        assert_eq!(String::from_utf8_lossy(&answers), String::from_utf8_lossy(&whole.stdout), "{name}");
        assert_eq!(String::from_utf8_lossy(&answers).lines().count(), 62, "{name}");
    }
}
