from ptolint.findings import Finding
from ptolint.ir.model import Span
from ptolint.merge import merge


def finding(
    line: int = 3, message: str = "m", target: str = "a5", core: str = "vec", instance: str = "k<1>"
) -> Finding:
    return Finding(
        "tmov/a",
        "error",
        message,
        Span("k.cpp", line, 1, line, 5),
        targets=(target,),
        cores=(core,),
        instances=(instance,),
    )


def test_targets_cores_and_instances_are_joined() -> None:
    merged = merge([finding(), finding(target="a2a3", core="cube"), finding(instance="k<2>")])
    assert len(merged) == 1
    assert merged[0].targets == ("a2a3", "a5")
    assert merged[0].cores == ("cube", "vec")
    assert merged[0].instances == ("k<1>", "k<2>")


def test_different_limits_of_two_targets_stay_apart() -> None:
    assert len(merge([finding(message="1024"), finding(message="4096", target="a2a3")])) == 2


def test_instances_with_different_numbers_are_one_finding() -> None:
    merged = merge([finding(message="64 > 32", instance="k<64>"), finding(message="48 > 32", instance="k<48>")])
    assert [f.instances for f in merged] == [("k<48>", "k<64>")]


def test_order_does_not_matter() -> None:
    findings = [finding(9), finding(3), finding(3, target="a2a3"), finding(5, "x")]
    assert merge(findings) == merge(reversed(findings))
    assert [f.span.line for f in merge(findings)] == [3, 5, 9]
